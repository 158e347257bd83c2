const begins = (name: string): string => `<!-- ${name} -->`
const ends = (name: string): string => `<!-- /${name} -->`
const section = (name: string): RegExp => new RegExp(`\\n${begins(name)}\\n([\\s\\S]*?)${ends(name)}\\n`)

/** Replaces the section of this name in a page, or appends it; it becomes the last section. */
export const withSection = (page: string, name: string, text: string): string =>
  `${page.replace(section(name), '').trimEnd()}\n\n${begins(name)}\n\n${text.trim()}\n\n${ends(name)}\n`

/** A rewritten page with a section taken over from its earlier version. */
export function keepSection(before: string, page: string, name: string): string {
  const kept = section(name).exec(before)?.[1]
  return kept === undefined ? page : withSection(page, name, kept)
}
