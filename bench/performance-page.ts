import type { Comparison } from './compare.ts'
import type { Row } from './row.ts'

export interface RowResult {
  /** The file that the row is in. */
  readonly name: string
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

function toCells(row: Row, comparison: Comparison): string[] {
  const { measure, peer = '', ours, theirs, ratio, spread } = comparison
  const toText = (figure: number) =>
    figure.toLocaleString('en', { minimumFractionDigits: measure.digits, maximumFractionDigits: measure.digits })
  const [low, high] = spread.map((figure) => (ratio === undefined ? toText(figure) : figure.toFixed(2)))
  return [
    `${row.title}: ${measure.name}`,
    measure.unit,
    toText(ours),
    peer,
    theirs === undefined ? '' : toText(theirs),
    ratio?.toFixed(2) ?? '',
    `${low} to ${high}`,
    toGoalText(comparison),
  ]
}

function toGoalText({ measure, ours, ratio, goal }: Comparison): string {
  if (goal && ratio !== undefined) return `${goal.is} ${goal.ratio}: ${toVerdict(goal.is, ratio, goal.ratio)}`
  if (!measure.limit) return ''
  const { is, figure } = measure.limit
  return `${is} ${figure} ${measure.unit}: ${toVerdict(is, ours, figure)}`
}

const toVerdict = (is: 'at least' | 'at most', figure: number, bound: number): string =>
  (is === 'at least' ? figure >= bound : figure <= bound) ? 'met' : 'missed'

interface Circumstances {
  readonly date: string
  readonly machine: string
  readonly rounds: number
}

/** A section of that page, about a row that was measured alone. */
export const toRowSection = (result: RowResult, { date, machine }: Omit<Circumstances, 'rounds'>): string =>
  `## ${result.row.title}, measured alone\n\n${date}, on ${machine}.\n\n${toTable([result])}\n\n${result.row.meaning}`

/** `docs/performance.md`: what was compared, on what, and the table. */
export const toPerformancePage = (
  results: readonly RowResult[],
  { date, machine, rounds }: Circumstances,
): string => `# Performance

Written by \`npm run bench\`; do not edit. Speed differs from machine to machine and from minute to minute, so this page compares: each row runs our server and others in turns, in the same run, and what counts is the ratio; where nothing does the same thing, our figures stand alone. Every server has a process of its own under the same Node.js, started with \`NODE_ENV=production\`; client and servers share one machine and talk over the loopback.

- Date: ${date}
- Machine: ${machine}
- Rounds: ${rounds} that count, after one that warms up. *Ours* and *theirs* are medians over the rounds, *ratio* is the median of the rounds' own ratios, *spread* their lowest and highest; in a row without a peer, those of our figures.
- *CPU* is the processor time of all threads of the server. The client needs its share of the same machine, so answers per second flatter the slower server and CPU per answer does not.

${toTable(results)}

## What each row means

${results.map(({ row }) => `**${row.title}.** ${row.meaning}`).join('\n\n')}
`
