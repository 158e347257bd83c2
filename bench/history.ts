import { z } from 'zod'

const ratioRange = z.tuple([z.number(), z.number()])

/** Our figure for one measure, and one peer's if there is one. Figures are medians over the rounds. */
const figureSchema = z.object({
  measure: z.string(),
  peer: z.string().optional(),
  ours: z.number(),
  theirs: z.number().optional(),
  /** Ours to theirs: the median of the rounds' ratios. */
  ratio: z.number().optional(),
  /** The lowest and highest value of the rounds: of the ratios, or of our figures when there is no peer. */
  spread: ratioRange,
})
export type Figure = z.infer<typeof figureSchema>

const runSchema = z.object({
  /** A date such as 2026-11-24. */
  date: z.string(),
  /** Commit of the measured code; with a plus when files had been changed since. */
  commit: z.string(),
  machine: z.string(),
  /** Load average of one minute, before the whole bench began. */
  load: z.number(),
  /** Processors that other programs kept busy meanwhile; absent when the system does not tell. */
  others: z.number().optional(),
  /** Speed of a processor, the mean of before and after the row; see `machine-speed.ts`. */
  speed: z.number().optional(),
  rounds: z.int(),
  figures: z.array(figureSchema),
  /** Peers that were not available, and why. */
  missing: z.record(z.string(), z.string()).optional(),
})
/** One measurement of one row. */
export type Run = z.infer<typeof runSchema>

const historySchema = z.record(z.string(), z.array(runSchema))
/** Runs by the name of the row; the newest run is the last. */
export type History = z.infer<typeof historySchema>

const mostRuns = 10

/**
 * Parses `bench/history.json`.
 *
 * @throws ZodError or SyntaxError when it is not a history
 */
export const readHistory = (text: string): History => historySchema.parse(JSON.parse(text))

/** The history with one more run of a row, of which the last ten are kept. */
export const withRun = (history: History, name: string, run: Run): History => ({
  ...history,
  [name]: [...(history[name] ?? []), run].slice(-mostRuns),
})

/** Six significant digits are enough for a benchmark. */
const toShort = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(6)) : value

/**
 * The text of `bench/history.json`, with rows sorted by name and one line for each run, so that a new run changes no
 * other line.
 */
export function toHistoryText(history: History): string {
  const rows = Object.entries(history)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, runs]) => {
      const lines = runs.map((run) => `    ${JSON.stringify(run, toShort)}`)
      return `  ${JSON.stringify(name)}: [\n${lines.join(',\n')}\n  ]`
    })
  return `{\n${rows.join(',\n')}\n}\n`
}
