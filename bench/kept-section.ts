const begins = (name: string): string => `<!-- ${name} -->`
const ends = (name: string): string => `<!-- /${name} -->`
const section = (name: string): RegExp => new RegExp(`\\n${begins(name)}\\n([\\s\\S]*?)${ends(name)}\\n`)

/** A page with this as its last section, in the place of the one that it had by this name. */
export const withSection = (page: string, name: string, text: string): string =>
  `${page.replace(section(name), '').trimEnd()}\n\n${begins(name)}\n\n${text.trim()}\n\n${ends(name)}\n`

/** A page that is written anew, with a section of the one before. */
export function keepSection(before: string, page: string, name: string): string {
  const kept = section(name).exec(before)?.[1]
  return kept === undefined ? page : withSection(page, name, kept)
}
