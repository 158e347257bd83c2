import { z } from 'zod'

const ratioRange = z.tuple([z.number(), z.number()])

/** Ours by one measure, and one peer's where there is one. Figures are medians over the rounds. */
const figureSchema = z.object({
  measure: z.string(),
  peer: z.string().optional(),
  ours: z.number(),
  theirs: z.number().optional(),
  /** Ours to theirs: the median of the rounds' ratios. */
  ratio: z.number().optional(),
  /** The lowest and the highest of the rounds: of their ratios, or of our figures where there is no peer. */
  spread: ratioRange,
})
export type Figure = z.infer<typeof figureSchema>

const runSchema = z.object({
  /** A day, as 2026-11-24. */
  date: z.string(),
  /** Of the code that was measured; with a plus when files had been changed since. */
  commit: z.string(),
  machine: z.string(),
  /** Load average of one minute, before the whole bench began. */
  load: z.number(),
  /** Processors that others than the bench kept busy while the row was measured, where the system tells. */
  others: z.number().optional(),
  /** How fast a processor was, on average before and after the row; see `machine-speed.ts`. */
  speed: z.number().optional(),
  rounds: z.int(),
  figures: z.array(figureSchema),
  /** Peers that could not be had, and why. */
  missing: z.record(z.string(), z.string()).optional(),
})
/** One measurement of one row. */
export type Run = z.infer<typeof runSchema>

const historySchema = z.record(z.string(), z.array(runSchema))
/** What was measured, by the file of the row; the newest run is the last. */
export type History = z.infer<typeof historySchema>

const mostRuns = 10

/** Reads `bench/history.json`; throws when it is not a history. */
export const readHistory = (text: string): History => historySchema.parse(JSON.parse(text))

/** A history with one run more of one row, whose oldest falls out when there are more than ten; other rows stay. */
export const withRun = (history: History, name: string, run: Run): History => ({
  ...history,
  [name]: [...(history[name] ?? []), run].slice(-mostRuns),
})

/** Six digits say all that a benchmark knows. */
const toShort = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(6)) : value

/** The text of `bench/history.json`: rows by name, and each run on one line, so that a run changes no other line. */
export function toHistoryText(history: History): string {
  const rows = Object.entries(history)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, runs]) => {
      const lines = runs.map((run) => `    ${JSON.stringify(run, toShort)}`)
      return `  ${JSON.stringify(name)}: [\n${lines.join(',\n')}\n  ]`
    })
  return `{\n${rows.join(',\n')}\n}\n`
}
