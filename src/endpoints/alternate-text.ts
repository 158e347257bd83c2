import type { Alternate } from '../core/alternate.ts'
import { toInline, toSections } from '../core/markdown.ts'

const fence = /^[ \t>]*(`{3,}|~{3,})/

/**
 * What stands outside blocks of code: signs that mean themselves and code in a line, which are left alone; an image whose
 * address is a place among the sources and means nothing on the web; and where the address of a page of this site begins.
 */
const parts =
  /\\[\s\S]|(?<!`)(`+)(?!`)(?:(?!\n\s*\n)[\s\S])*?(?<!`)\1(?!`)|!\[(?<alt>[^\]]*)\]\((?!https?:|\/|data:)[^)]*\)|(?:\]\(<?|^ {0,3}\[[^\]\n]+\]: *<?)(?=\/(?!\/))/gm

const toProse = (text: string, baseUrl: string): string =>
  text.replace(parts, (found, _ticks, alt: string | undefined) => {
    if (alt !== undefined) return `(Image: ${alt})`
    return /^[\\`]/.test(found) ? found : found + baseUrl
  })

/** Links to this site in full, so that the text can be read anywhere; code is left alone. */
function withAbsoluteLinks(markdown: string, baseUrl: string): string {
  const written: string[] = []
  let prose: string[] = []
  let open: string | undefined
  const endProse = (): void => {
    if (prose.length > 0) written.push(toProse(prose.join('\n'), baseUrl))
    prose = []
  }
  for (const line of markdown.split('\n')) {
    const mark = fence.exec(line)?.[1]
    if (open === undefined && mark === undefined) {
      prose.push(line)
      continue
    }
    endProse()
    written.push(line)
    if (open === undefined) open = mark
    else if (mark?.startsWith(open)) open = undefined
  }
  endProse()
  return written.join('\n')
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
