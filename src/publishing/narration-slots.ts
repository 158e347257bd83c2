/**
 * Pages are built before their posts are narrated, and narration goes on while the site runs. So what a page shows of
 * a narration is written by the build as a slot, with `%%names%%` for what is not known yet, and the server fills it
 * when the narration is there:
 *
 *     <!--narrated SLUG-->shown when the post has a narration<!--/narrated-->
 *     <!--silent-->shown while no post of this page has one<!--/silent-->
 */
const narrated = /<!--narrated ([^\s>]+)-->([\s\S]*?)<!--\/narrated-->/g
const silent = /<!--silent-->([\s\S]*?)<!--\/silent-->/g
const name = /%%(\w+)%%/g

/** What a slot says of one narration: HTML-safe texts by name. */
export type SlotTexts = Readonly<Record<string, string>>

/** Comments that open and close the slot of a post. */
export const slotMarks = (slug: string) => ({ open: `<!--narrated ${slug}-->`, close: '<!--/narrated-->' })

/** Comments around what is shown while nothing of the page is narrated. */
export const silenceMarks = { open: '<!--silent-->', close: '<!--/silent-->' }

/** Whether there are slots in a page. */
export const hasSlots = (html: string): boolean => html.search(narrated) >= 0 || html.search(silent) >= 0

/** The posts whose narrations a page shows, each once. */
export const slugsOf = (html: string): string[] => [
  ...new Set([...html.matchAll(narrated)].flatMap(([, slug]) => slug ?? [])),
]

/**
 * The page with its slots filled or taken out.
 *
 * @throws Error when a slot asks for a name that nobody gives
 */
export function fillSlots(html: string, find: (slug: string) => SlotTexts | undefined): string {
  let filled = 0
  const page = html.replace(narrated, (_, slug: string, content: string) => {
    const texts = find(slug)
    if (texts === undefined) return ''
    filled += 1
    return content.replace(name, (_mark, key: string) => {
      const text = texts[key]
      if (text === undefined) throw new Error(`a narration slot asks for ${key}, which no narration has`)
      return text
    })
  })
  return page.replace(silent, (_, content: string) => (filled === 0 ? content : ''))
}
