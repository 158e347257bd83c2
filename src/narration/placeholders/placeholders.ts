/**
 * Pages are built before their posts are narrated, and narration goes on while the site runs. So what a page shows of
 * a narration is written by the build as a placeholder, with `%%names%%` for what is not known yet, and the server fills it
 * when the narration is there:
 *
 *     <!--narrated SLUG-->shown when the post has a narration<!--/narrated-->
 *     <!--not narrated-->shown while no post of this page has one<!--/not narrated-->
 */
const narrated = /<!--narrated ([^\s>]+)-->([\s\S]*?)<!--\/narrated-->/g
const notNarrated = /<!--not narrated-->([\s\S]*?)<!--\/not narrated-->/g
const name = /%%(\w+)%%/g

/** What a placeholder says of one narration: HTML-safe texts by name. */
export type NarrationTexts = Readonly<Record<string, string>>

/** Comments that open and close the placeholder of a post, whose name may have a sign that ends a comment. */
export const placeholderMarks = (slug: string) => ({
  open: `<!--narrated ${encodeURI(slug)}-->`,
  close: '<!--/narrated-->',
})

/** Stands for two signs of what is no name: `50%%of%%` is said by an author. */
const percents = 'percents'

/** Words of an author in a placeholder, of which nothing is taken for a name. */
export const inPlaceholder = (words: string): string => words.replaceAll('%%', `%%${percents}%%`)

/** Comments around what is shown while nothing of the page is narrated. */
export const notNarratedMarks = { open: '<!--not narrated-->', close: '<!--/not narrated-->' }

/** Whether there are placeholders in a page. */
export const hasPlaceholders = (html: string): boolean => html.search(narrated) >= 0 || html.search(notNarrated) >= 0

/** The posts whose narrations a page shows, each once. */
export const slugsOf = (html: string): string[] => [
  ...new Set([...html.matchAll(narrated)].flatMap(([, slug]) => (slug === undefined ? [] : decodeURI(slug)))),
]

/**
 * The page with its placeholders filled or taken out.
 *
 * @throws Error when a placeholder asks for a name that nobody gives
 */
export function fillPlaceholders(html: string, find: (slug: string) => NarrationTexts | undefined): string {
  let filled = 0
  const page = html.replace(narrated, (_, slug: string, content: string) => {
    const texts = find(decodeURI(slug))
    if (texts === undefined) return ''
    filled += 1
    return content.replace(name, (_mark, key: string) => {
      const text = key === percents ? '%%' : texts[key]
      if (text === undefined) throw new Error(`a narration placeholder asks for ${key}, which no narration has`)
      return text
    })
  })
  return page.replace(notNarrated, (_, content: string) => (filled === 0 ? content : ''))
}
