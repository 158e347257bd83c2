import type { Figure, History, Run } from './history.ts'
import { judge } from './judge.ts'
import { toFigureText, toRatioText } from './number-text.ts'
import type { Measure, Row } from './row.ts'
import { linesOf } from './run-lines.ts'

interface GoalsOfRows {
  /** How many goals were measured. */
  readonly count: number
  /** Descriptions of the missed goals. */
  readonly missed: readonly string[]
  /** How many figures show us behind, of how many. */
  readonly behind: number
  readonly figures: number
}

const toShown = ({ digits }: Measure, { ours, ratio = Number.NaN }: Figure, isOfRatio: boolean): string =>
  isOfRatio ? toRatioText(ratio) : toFigureText(ours, digits)

/** A machine that is faster by less than this factor does not explain the difference. */
const aboutTheSame = 1.2

/**
 * Describes the newest run that met a bound; undefined when none did. A missed goal may be due to a slow machine at
 * that hour, not to the code.
 */
function findMet(row: Row, runs: readonly Run[], { measure, peer }: Figure, bound: string): string | undefined {
  const now = runs.at(-1)?.speed
  for (const run of runs.toReversed())
    for (const { measure: of, figure } of linesOf(row, run)) {
      if (figure.measure !== measure || figure.peer !== peer) continue
      const met = judge(row, of, figure).bounds.find(({ text, isMet }) => text === bound && isMet)
      if (!met) continue
      const faster = now !== undefined && run.speed !== undefined ? run.speed / now : 1
      const how = faster > aboutTheSame ? `, when the machine was ${faster.toFixed(1)} times as fast` : ''
      return `${toShown(of, figure, met.isOfRatio)} on ${run.date} at \`${run.commit}\`${how}`
    }
  return undefined
}

/**
 * Judges the last run of each row by its goals. A limit counts once, even if the figure is listed beside several peers.
 */
export function countGoals(rows: Readonly<Record<string, Row>>, history: History): GoalsOfRows {
  const judged = Object.entries(rows).flatMap(([name, row]) => {
    const runs = history[name] ?? []
    const run = runs.at(-1)
    return run
      ? linesOf(row, run).map((line) => ({ row, runs, ...line, ...judge(row, line.measure, line.figure) }))
      : []
  })
  const goals = new Map(
    judged.flatMap(({ row, runs, measure, figure, bounds }) =>
      bounds.map(({ text, isMet, isOfRatio }) => {
        const what = `${row.title}, ${measure.name}${isOfRatio ? ` beside ${figure.peer}` : ''}`
        const before = isMet ? undefined : findMet(row, runs, figure, text)
        const met = before === undefined ? '' : `; met with ${before}`
        return [`${what}: ${toShown(measure, figure, isOfRatio)}, wanted ${text}${met}`, isMet] as const
      }),
    ),
  )
  return {
    count: goals.size,
    missed: [...goals].flatMap(([text, isMet]) => (isMet ? [] : [text])),
    behind: judged.filter(({ isBehind }) => isBehind).length,
    figures: judged.length,
  }
}
