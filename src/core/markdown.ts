/**
 * Plain text escaped as one line of markdown. Underscores inside words are not escaped: they have no meaning there, and
 * many names contain them.
 */
export const toInline = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*<[\]~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu, '\\$&')

/** A list of links with a line about each. */
export const toLinkList = (items: readonly { title: string; path: string; about: string }[]): string =>
  items.map(({ title, path, about }) => `- [${toInline(title)}](${encodeURI(path)}): ${toInline(about)}`).join('\n')

/** A fenced code block. The fence is longer than any run of backticks in the code. */
export function toCodeBlock(code: string, language = ''): string {
  let longest = 2
  for (const [run] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code}\n${fence}`
}

/**
 * The text of a table cell with its pipes escaped; backslashes before a pipe are doubled, so that they cannot undo the
 * escape.
 */
export const toCell = (text: string): string => text.replace(/(\\*)\|/g, '$1$1\\|')

/** A markdown table. Pipes and line breaks inside cells are escaped or replaced. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const toRow = (cells: readonly string[]) =>
    `| ${cells.map((cell) => toCell(cell.replace(/\s+/g, ' '))).join(' | ')} |`
  return [toRow(head), toRow(head.map(() => '---')), ...rows.map(toRow)].join('\n')
}

/** Parts with a blank line between them, without the empty ones. */
export const toSections = (...parts: readonly (string | false | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== false && part !== '').join('\n\n')
