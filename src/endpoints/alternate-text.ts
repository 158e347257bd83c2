import type { Alternate } from '../core/alternate.ts'
import { toInline, toSections } from '../core/markdown.ts'

const fence = /^[ \t>]*(`{3,}|~{3,})/

/** An image whose address is a place among the sources and means nothing on the web. */
const sourceImage = /!\[([^\]]*)\]\((?!https?:|\/|data:)[^)]*\)/g

/** Links to this site in full, so that the text can be read anywhere; code is left alone. */
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
      return line.replace(sourceImage, '(Image: $1)').replace(/(\]\(<?)(?=\/(?!\/))/g, `$1${baseUrl}`)
    })
    .join('\n')
}

/** The whole markdown file of a page: its title, what it is about, where the page and the index are, the text. */
export function toAlternateText({ path, title, summary, body }: Alternate, baseUrl: string): string {
  const url = encodeURI(baseUrl + path)
  const text = toSections(
    `# ${toInline(title)}`,
    `> ${toInline(summary)}`,
    `Page: <${url}> · Index of this site for programs: <${baseUrl}/llms.txt>`,
    withAbsoluteLinks(body, baseUrl),
  )
  return `${text}\n`
}
