import type { Area } from './all-rows.ts'
import { toAreaChart } from './area-chart.ts'
import { countGoals } from './goals.ts'
import type { History, Run } from './history.ts'
import { judge } from './judge.ts'
import { toFigureText, toRatioText } from './number-text.ts'
import type { Row } from './row.ts'
import { isBusy, type Line, linesOf, quietLoad, toSpreadText } from './run-lines.ts'

const columns = ['what', 'unit', 'ours', 'peer', 'theirs', 'ratio', 'spread', 'goal']

/** The results of rows, one run each, as a Markdown table. */
export function toTable(results: readonly { readonly row: Row; readonly run: Run }[]): string {
  const lines = results.flatMap(({ row, run }) => [
    ...linesOf(row, run).map((line) => toCells(row, line)),
    ...Object.entries(run.missing ?? {}).map(([peer, why]) => [row.title, '', '', peer, why, '', '', '']),
  ])
  const cells = lines.map((line) => line.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((line) => line[at]?.length ?? 0)))
  const toLine = (line: readonly string[]) => `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [toLine(columns), rule, ...cells.map(toLine)].join('\n')
}

function toCells(row: Row, line: Line): string[] {
  const { measure, figure } = line
  const { peer = '', ours, theirs, ratio } = figure
  return [
    `${row.title}: ${measure.name}`,
    measure.unit,
    toFigureText(ours, measure.digits),
    peer,
    theirs === undefined ? '' : toFigureText(theirs, measure.digits),
    ratio === undefined ? '' : toRatioText(ratio),
    toSpreadText(line),
    judge(row, measure, figure)
      .bounds.map(({ text, isMet }) => `${text}: ${isMet ? 'met' : 'missed'}`)
      .join('; '),
  ]
}

const lastOf = (history: History, name: string): Run | undefined => history[name]?.at(-1)

/** Alternative text of the chart of an area. */
function toAlternative({ title, rows }: Area, history: History): string {
  const { count, missed, behind, figures } = countGoals(rows, history)
  return `${title}: ${count - missed.length} of ${count} goals met, behind in ${behind} of ${figures} figures; the table below has them all`
}

/** Why a figure is behind, and the profile that shows it. */
function toCauseText(row: Row, { measure, figure: { peer } }: Line): string {
  const cause = row.causes?.find((one) => one.measure === measure.name && (one.peer === undefined || one.peer === peer))
  const shares = Object.entries(cause?.profile?.percent ?? {}).map(([what, percent]) => `${what} ${percent} %`)
  const profile = cause?.profile ? ` Profile (${cause.profile.of}): ${shares.join(', ')}.` : ''
  return `${cause?.because ?? 'the cause was not looked into yet.'}${profile}`
}

/** A line for each cause, with all figures that are behind because of it. */
function toCauses(row: Row, run: Run): string[] {
  const lines = linesOf(row, run).filter(({ measure, figure }) => judge(row, measure, figure).isBehind)
  const toName = ({ measure, figure: { peer } }: Line) =>
    `${measure.name}${peer === undefined ? '' : ` beside ${peer}`}`
  return [...Map.groupBy(lines, (line) => toCauseText(row, line))].map(
    ([text, behind]) => `- Behind in ${behind.map(toName).join('; ')}: ${text}`,
  )
}

function toCircumstances(run: Run, isMachineSaid: boolean): string {
  const load =
    run.others === undefined
      ? `load average before it ${run.load.toFixed(1)}`
      : `load average before the bench ${run.load.toFixed(1)}, others kept ${run.others.toFixed(2)} processors busy meanwhile`
  const speed = run.speed === undefined ? '' : `; speed ${run.speed}`
  const busy = isBusy(run) ? '; **measured on a busy machine**' : ''
  const machine = isMachineSaid ? `, on ${run.machine}` : ''
  return `Measured on ${run.date} at \`${run.commit}\`${machine}; ${run.rounds} ${run.rounds === 1 ? 'round' : 'rounds'}; ${load}${speed}${busy}.`
}

function toRowText(name: string, row: Row, run: Run | undefined, isMachineSaid: boolean): string {
  const said = run ? toCircumstances(run, isMachineSaid) : 'Not measured yet.'
  const causes = run ? toCauses(row, run) : []
  const repeat = `Repeat with \`npm run bench -- ${name}\`.`
  return [
    `**${row.title}.** ${row.meaning}`,
    `${said} ${repeat}`,
    ...(causes.length > 0 ? [causes.join('\n')] : []),
  ].join('\n\n')
}

function toAreaText(area: Area, history: History, isMachineSaid: boolean): string {
  const results = Object.entries(area.rows).flatMap(([name, row]) => {
    const run = lastOf(history, name)
    return run ? [{ row, run }] : []
  })
  const chart = toAreaChart(area, history)
  return [
    `## ${area.title}`,
    ...(chart ? [`![${toAlternative(area, history)}](performance/${area.name}.svg)`] : []),
    ...(results.length > 0 ? [toTable(results)] : []),
    ...Object.entries(area.rows).map(([name, row]) => toRowText(name, row, lastOf(history, name), isMachineSaid)),
  ].join('\n\n')
}

/** How many goals are met, and a list of the missed ones. */
function toSummary(areas: readonly Area[], history: History): string {
  const { count, missed } = countGoals(Object.assign({}, ...areas.map(({ rows }) => rows)), history)
  const met = `${count - missed.length} of ${count} goals are met`
  return missed.length === 0 ? `${met}.` : `${met}. Missed:\n\n${missed.map((line) => `- ${line}`).join('\n')}`
}

/** From how many runs of the bench the rows are: those of one run have the load in common that it began with. */
function toRuns(runs: readonly Run[]): string {
  const begun = new Set(runs.map(({ commit, load, machine }) => [commit, load, machine].join(' ')))
  const [first] = runs
  if (!first) return 'No row was measured yet.'
  return begun.size === 1
    ? `All rows are from one run, of ${first.date} at \`${first.commit}\`.`
    : `The rows are from ${begun.size} runs; each names its own.`
}

/** The text of `docs/performance.md`: comparisons, machine, tables, charts and causes, all from the history. */
export function toPerformancePage(areas: readonly Area[], history: History): string {
  const runs = areas.flatMap(({ rows }) => Object.keys(rows)).flatMap((name) => lastOf(history, name) ?? [])
  const machines = [...new Set(runs.map(({ machine }) => machine))]
  const [only] = machines
  const machine = machines.length === 1 ? only : 'not always the same one; each row names its own'
  return `# Performance

Written by \`npm run bench\` from [the last ten runs of each row](../bench/history.json); do not edit. Speed differs from machine to machine and from minute to minute, so this page compares: each row runs our server and others in turns, in the same run, and what counts is the ratio; where nothing does the same thing, our figures stand alone. Every server has a process of its own, those of Node.js under the same one, started with \`NODE_ENV=production\`; client and servers share one machine and talk over the loopback.

- Machine: ${machine}
- ${toRuns(runs)}
- *Ours* and *theirs* are medians over the rounds that count, after one that warms up, *ratio* is the median of the rounds' own ratios, *spread* their lowest and highest; in a row without a peer, those of our figures.
- *CPU* is the processor time of all threads of the server. The client needs its share of the same machine, so answers per second flatter the slower server and CPU per answer does not.
- We are *behind* where a goal is missed, or where every round was worse than the peer's; there the cause is said.
- A row was measured on a *busy machine* when the load average was above ${quietLoad} before the bench began, or others kept more than a quarter of a processor busy meanwhile.
- *Speed* is how often one processor read a small JSON text and wrote it again in a millisecond, on average before and after the row: the same machine is several times as fast in one hour as in another.
- Where a goal is missed that an earlier run on record met, that run is said with it: on a slow machine all that is wanted in milliseconds is late, and ratios scatter.
- In the charts right is better and each step multiplies: the dot is the median, the line the spread, the stroke the goal; at the right edge are the last ten runs.

${toSummary(areas, history)}

${areas.map((area) => toAreaText(area, history, machines.length > 1)).join('\n\n')}
`
}
