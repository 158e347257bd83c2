import { cleanText } from '../clean-text.ts'
import { type InlineOptions, inlineToMarkdown, longestRun } from './inline-to-markdown.ts'
import type { Block, Table } from './page.ts'
import { isData, tableToMarkdown } from './table-to-markdown.ts'

interface Options extends InlineOptions {
  readonly tables: readonly Table[]
}

/** Blocks as markdown, until there are `enough` characters. */
export function blocksToMarkdown(blocks: readonly Block[], { tables, ...options }: Options): string {
  const out: string[] = []
  let length = 0
  let before: Block | undefined
  const data = findData(blocks, tables)
  for (let at = 0; at < blocks.length && length < options.enough; at++) {
    const block = blocks[at]
    if (!block || (block.is === 'rule' && !isBetween(blocks, at))) continue
    const rows = block.cell && data.get(block.cell.table)
    const text = rows ? tableToMarkdown(rows, options) : blockToMarkdown(block, options)
    if (rows) at += rows.length - 1
    if (text === '') continue
    const quote = '> '.repeat(block.quotes)
    const lines = text.split('\n').map((line) => (quote + line).trimEnd())
    if (before) out.push(separate(before, block))
    out.push(lines.join('\n'))
    length += text.length
    before = block
  }
  return out.join('')
}

/** The blocks of each table that holds data. Such a table has no nested table, so its blocks are consecutive. */
function findData(blocks: readonly Block[], tables: readonly Table[]): ReadonlyMap<number, readonly Block[]> {
  const byTable = Map.groupBy(
    blocks.filter(({ cell }) => cell),
    ({ cell }) => cell?.table ?? -1,
  )
  for (const [place, rows] of byTable) {
    const table = tables[place]
    if (!table || !isData(table, rows)) byTable.delete(place)
  }
  return byTable
}

const isBetween = (blocks: readonly Block[], at: number): boolean =>
  at > 0 && at < blocks.length - 1 && blocks[at - 1]?.is !== 'rule'

/** The separator between two blocks: none but a line break between the items of a list, otherwise an empty line. */
function separate(before: Block, block: Block): string {
  const isInList = before.marker !== '' || before.indent > 0
  if (block.marker !== '' && isInList && before.quotes === block.quotes) return '\n'
  const quotes = Math.min(before.quotes, block.quotes)
  return quotes > 0 ? `\n${'> '.repeat(quotes).trimEnd()}\n` : '\n\n'
}

function blockToMarkdown(block: Block, options: InlineOptions): string {
  const { marker, indent } = block
  const text = toText(block, options)
  if (text === '') return ''
  const first = ' '.repeat(indent) + marker
  const next = ' '.repeat(indent + marker.length)
  return text
    .split('\n')
    .map((line, at) => (at === 0 ? first : next) + line)
    .join('\n')
}

function toText({ is, level, language, pieces, marker }: Block, options: InlineOptions): string {
  switch (is) {
    case 'rule':
      return '* * *'
    case 'code':
      return toFenced(cleanText(pieces.join('').slice(0, options.enough)), language)
    case 'heading': {
      const text = inlineToMarkdown(pieces, options).replace(/\n/g, ' ')
      return text === '' || marker !== '' ? text : `${'#'.repeat(level)} ${text}`
    }
    case 'paragraph':
      // `~~~` at the beginning of a line would open a code block that nothing closes.
      return inlineToMarkdown(pieces, options).replace(/^~~~/gm, '\\~~~')
  }
}

function toFenced(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1))
  return `${fence}${language}\n${code}\n${fence}`
}
