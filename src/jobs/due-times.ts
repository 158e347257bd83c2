import { Cron } from 'croner'

/**
 * The due times of a cron expression, in UTC whatever zone the machine is in (ms since 1970). It starts no timer: when
 * the clock is set while the program runs, a timer would wait for the wrong time.
 *
 * @throws Error when it is no cron expression
 */
export function makeDueTimes(expression: string) {
  // Each one holds 80 KB, a table of years, so it is made when it is needed and not kept.
  const parse = () => new Cron(expression, { utcOffset: 0 })
  parse()
  // The latest due time that is known, and the one after it.
  let span = { from: 0, until: 0 }
  const next = (now: number): number | undefined => parse().nextRun(new Date(now))?.getTime()
  return {
    /** The latest due time up to `now`; undefined when there was none. */
    latest(now: number): number | undefined {
      if (now >= span.from && now < span.until) return span.from
      const from = parse()
        .previousRuns(1, new Date(now + 1))[0]
        ?.getTime()
      if (from !== undefined) span = { from, until: next(now) ?? Number.POSITIVE_INFINITY }
      return from
    },
    next,
  }
}
