import type { Alternate } from '../core/alternate.ts'
import { toInline, toSections } from '../core/markdown.ts'

/**
 * The complete markdown file of a page: title, summary, links to the page and to `/llms.txt`, then the text. Relative
 * links in `body` are not changed (see `written-alternate.ts`).
 */
export function toAlternateText({ path, title, summary, body }: Alternate, baseUrl: string): string {
  const url = encodeURI(baseUrl + path)
  const text = toSections(
    `# ${toInline(title)}`,
    `> ${toInline(summary)}`,
    `Page: <${url}> · Index of this site for programs: <${baseUrl}/llms.txt>`,
    body,
  )
  return `${text}\n`
}
