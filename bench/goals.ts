import type { History } from './history.ts'
import { judge } from './judge.ts'
import { toFigureText, toRatioText } from './number-text.ts'
import type { Row } from './row.ts'
import { linesOf } from './run-lines.ts'

interface GoalsOfRows {
  /** How many goals were measured. */
  readonly count: number
  /** What is missed, each in a few words. */
  readonly missed: readonly string[]
  /** Figures by which we are behind, and how many there are. */
  readonly behind: number
  readonly figures: number
}

/** Holds the last run of each row against its goals; a limit counts once, with however many peers it is measured. */
export function countGoals(rows: Readonly<Record<string, Row>>, history: History): GoalsOfRows {
  const judged = Object.entries(rows).flatMap(([name, row]) => {
    const run = history[name]?.at(-1)
    return run ? linesOf(row, run).map((line) => ({ row, ...line, ...judge(row, line.measure, line.figure) })) : []
  })
  const goals = new Map(
    judged.flatMap(({ row, measure, figure, bounds }) =>
      bounds.map(({ text, isMet, isOfRatio }) => {
        const { peer, ratio = Number.NaN, ours } = figure
        const what = `${row.title}, ${measure.name}${isOfRatio ? ` beside ${peer}` : ''}`
        const shown = isOfRatio ? toRatioText(ratio) : toFigureText(ours, measure.digits)
        return [`${what}: ${shown}, wanted ${text}`, isMet] as const
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
