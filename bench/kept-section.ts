const begins = '<!-- soak -->'
const ends = '<!-- /soak -->'
const section = new RegExp(`\\n${begins}[\\s\\S]*?${ends}\\n`)

/** A page with this as its last section, in the place of the one it had. */
export const withSection = (page: string, text: string): string =>
  `${page.replace(section, '').trimEnd()}\n\n${begins}\n\n${text.trim()}\n\n${ends}\n`

/** A page that is written anew, with the last section of the one before. */
export function keepSection(before: string, page: string): string {
  const kept = section.exec(before)?.[0].replace(begins, '').replace(ends, '')
  return kept === undefined ? page : withSection(page, kept)
}
