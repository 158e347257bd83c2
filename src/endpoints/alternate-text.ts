import type { Alternate } from '../core/alternate.ts'
import { toInline, toSections } from '../core/markdown.ts'

/**
 * The whole markdown file of a page: its title, what it is about, where the page and the index are, the text, whose links
 * are whole (see `written-alternate.ts`).
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
