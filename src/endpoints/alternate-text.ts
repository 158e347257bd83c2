import type { Alternate } from '../core/alternate.ts'
import { toInline, toSections } from '../core/markdown.ts'

const fence = /^[ \t>]*(`{3,}|~{3,})/

/** Links to this site in full, so that the text can be read anywhere; blocks of code are left alone. */
function withAbsoluteLinks(markdown: string, baseUrl: string): string {
  let open: string | undefined
  return markdown
    .split('\n')
    .map((line) => {
      const mark = fence.exec(line)?.[1]
      if (open !== undefined) {
        if (mark?.startsWith(open)) open = undefined
        return line
      }
      open = mark
      if (mark !== undefined) return line
      return line.replace(/(\]\(<?)(?=\/(?!\/))/g, `$1${baseUrl}`)
    })
    .join('\n')
}

/**
 * The whole markdown file of a page: its title, what it is about, where the page and the index are, the text.
 *
 * @param toAbsolute makes the addresses of the text at this address absolute. What running pages say has none but those
 *   that we wrote; what somebody wrote is parsed (`toAbsoluteMarkdown`), which running pages do not carry.
 */
export function toAlternateText(
  { path, title, summary, body }: Alternate,
  baseUrl: string,
  toAbsolute: (body: string, url: string) => string = (text) => withAbsoluteLinks(text, baseUrl),
): string {
  const url = encodeURI(baseUrl + path)
  const text = toSections(
    `# ${toInline(title)}`,
    `> ${toInline(summary)}`,
    `Page: <${url}> · Index of this site for programs: <${baseUrl}/llms.txt>`,
    toAbsolute(body, url),
  )
  return `${text}\n`
}
