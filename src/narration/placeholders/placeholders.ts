/**
 * Pages are built before their posts are narrated, and narration goes on while the site runs. The build therefore
 * writes what depends on a narration as a placeholder, with `%%names%%` for unknown values, and the server fills it in
 * once the narration exists:
 *
 *     <!--narrated SLUG-->shown when the post has a narration<!--/narrated-->
 *     <!--not narrated-->shown while no post of this page has one<!--/not narrated-->
 */
const narrated = /<!--narrated ([^\s>]+)-->([\s\S]*?)<!--\/narrated-->/g
const notNarrated = /<!--not narrated-->([\s\S]*?)<!--\/not narrated-->/g
const name = /%%(\w+)%%/g

/** The values of one narration for placeholders: HTML-safe texts by name. */
export type NarrationTexts = Readonly<Record<string, string>>

/** The comments around the placeholder of a post. The slug is encoded, because it might otherwise end the comment. */
export const placeholderMarks = (slug: string) => ({
  open: `<!--narrated ${encodeURI(slug)}-->`,
  close: '<!--/narrated-->',
})

/** The name that stands for a literal `%%` in an author's text, as in `50%%of%%`. */
const percents = 'percents'

/** An author's words for use in a placeholder, with `%%` escaped so that nothing in them is taken for a name. */
export const inPlaceholder = (words: string): string => words.replaceAll('%%', `%%${percents}%%`)

/** The comments around what is shown while no post of the page has a narration. */
export const notNarratedMarks = { open: '<!--not narrated-->', close: '<!--/not narrated-->' }

/** Whether a page has placeholders. */
export const hasPlaceholders = (html: string): boolean => html.search(narrated) >= 0 || html.search(notNarrated) >= 0

/** The slugs of the posts whose narrations a page shows, without duplicates. */
export const slugsOf = (html: string): string[] => [
  ...new Set([...html.matchAll(narrated)].flatMap(([, slug]) => (slug === undefined ? [] : decodeURI(slug)))),
]

/**
 * Fills the placeholders of a page, and removes those of posts without a narration.
 *
 * @throws Error when a placeholder contains a name that has no value
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
