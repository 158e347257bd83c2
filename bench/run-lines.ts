import type { Figure, Run } from './history.ts'
import { toFigureText, toRatioText } from './number-text.ts'
import type { Measure, Row } from './row.ts'

/** A load average above it says that others were at work on a machine of two processors. */
export const quietLoad = 2
/** A tenth of a processor that others keep busy is the noise of an idle machine. */
const quietOthers = 0.25

/** One row in one run, with what its declaration says about each figure. */
export interface Line {
  readonly measure: Measure
  readonly figure: Figure
}

/** What a run showed that the row still measures. */
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
