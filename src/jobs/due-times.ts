import { Cron } from 'croner'

/**
 * The due times of a cron expression, in UTC whatever zone the machine is in (ms since 1970). It starts no timer: when
 * the clock is set while the program runs, a timer would wait for the wrong time.
 *
 * @throws Error when it is no cron expression
 */
export function makeDueTimes(expression: string) {
  const cron = new Cron(expression, { utcOffset: 0 })
  return {
    /** The latest due time up to `now`; undefined when there was none. */
    latest: (now: number): number | undefined => cron.previousRuns(1, new Date(now + 1))[0]?.getTime(),
    next: (now: number): number | undefined => cron.nextRun(new Date(now))?.getTime(),
  }
}
