import type { Figure, Run } from './history.ts'
import { toFigureText, toRatioText } from './number-text.ts'
import type { Measure, Row } from './row.ts'

/** A load average above it says that others were at work on a machine of two processors. */
export const quietLoad = 2
/** Most processors that others may keep busy on a quiet machine; an idle machine shows about a tenth. */
const quietOthers = 0.25

/** One figure of a run, with the measure it belongs to. */
export interface Line {
  readonly measure: Measure
  readonly figure: Figure
}

/** The figures of a run for measures that the row still has. */
export const linesOf = (row: Row, { figures }: Run): Line[] =>
  figures.flatMap((figure) => {
    const measure = row.measures.find(({ name }) => name === figure.measure)
    return measure ? [{ measure, figure }] : []
  })

/** Whether others were at work while a row was measured. */
export const isBusy = ({ load, others = 0 }: Run): boolean => load > quietLoad || others > quietOthers

/** The lowest and the highest of the rounds. */
export function toSpreadText({ measure, figure: { ratio, spread } }: Line): string {
  const toText = ratio === undefined ? (of: number) => toFigureText(of, measure.digits) : toRatioText
  return spread.map(toText).join(' to ')
}
