import { Cron } from 'croner'

/**
 * When a cron expression is due, in UTC whatever zone the machine is in. No timer comes with it: a clock that is set
 * while the program runs would leave one waiting for a time that has gone by.
 *
 * @throws Error when it is no cron expression
 */
export function makeDueTimes(expression: string) {
  const cron = new Cron(expression, { utcOffset: 0 })
  return {
    /** The latest due time that has come; undefined when there was none. */
    latest: (now: number): number | undefined => cron.previousRuns(1, new Date(now + 1))[0]?.getTime(),
    next: (now: number): number | undefined => cron.nextRun(new Date(now))?.getTime(),
  }
}
