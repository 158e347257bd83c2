import type { Comparison } from './compare.ts'
import type { Row } from './row.ts'

export interface RowResult {
  readonly row: Row
  readonly comparisons: readonly Comparison[]
}

const columns = ['what', 'unit', 'ours', 'peer', 'theirs', 'ratio', 'spread', 'goal']

/** All comparisons as one Markdown table, ours to theirs. */
export function toTable(results: readonly RowResult[]): string {
  const lines = results.flatMap(({ row, comparisons }) => comparisons.map((comparison) => toCells(row, comparison)))
  const widths = columns.map((column, at) => Math.max(column.length, ...lines.map((cells) => cells[at]?.length ?? 0)))
  const toLine = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [toLine(columns), rule, ...lines.map(toLine)].join('\n')
}

function toCells(row: Row, { measure, peer, ours, theirs, ratio, spread, goal }: Comparison): string[] {
  const toText = (figure: number) =>
    figure.toLocaleString('en', { minimumFractionDigits: measure.digits, maximumFractionDigits: measure.digits })
  const [low, high] = spread.map((figure) => figure.toFixed(2))
  return [
    `${row.title}: ${measure.name}`,
    measure.unit,
    toText(ours),
    peer,
    toText(theirs),
    ratio.toFixed(2),
    `${low} to ${high}`,
    goal ? `${goal.is} ${goal.ratio}: ${isMet(goal, ratio) ? 'met' : 'missed'}` : '',
  ]
}

const isMet = (goal: { is: 'at least' | 'at most'; ratio: number }, ratio: number): boolean =>
  goal.is === 'at least' ? ratio >= goal.ratio : ratio <= goal.ratio

interface Circumstances {
  readonly date: string
  readonly machine: string
  readonly rounds: number
}

/** `docs/performance.md`: what was compared, on what, and the table. */
export const toPerformancePage = (
  results: readonly RowResult[],
  { date, machine, rounds }: Circumstances,
): string => `# Performance

Written by \`npm run bench\`; do not edit. Speed differs from machine to machine and from minute to minute, so this page compares: each row runs our server and others in turns, in the same run, and what counts is the ratio. Every server has a process of its own under the same Node.js, started with \`NODE_ENV=production\`; client and servers share one machine and talk over the loopback.

- Date: ${date}
- Machine: ${machine}
- Rounds: ${rounds} that count, after one that warms up. *Ours* and *theirs* are medians over the rounds, *ratio* is the median of the rounds' own ratios, *spread* their lowest and highest.
- *CPU* is the processor time of all threads of the server. The client needs its share of the same machine, so answers per second flatter the slower server and CPU per answer does not.

${toTable(results)}

## What each row means

${results.map(({ row }) => `**${row.title}.** ${row.meaning}`).join('\n\n')}
`
