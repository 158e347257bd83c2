import site from '../../site.config.ts'
import { isTimeZone } from '../core/time-zone.ts'

const dayMs = 86_400_000

/** The language in which dates are written, and the time zone of days (UTC when absent). */
interface Told {
  readonly language: string
  readonly timeZone?: string
}

/**
 * Makes the functions that format the day of an instant. Midnight UTC stands for front matter without a time of day, so
 * it is formatted in UTC and gives the same day everywhere. Any other instant is formatted in the time zone.
 *
 * @throws Error naming the setting when there is no such time zone
 */
export function makeDayTexts({ language, timeZone = 'UTC' }: Told) {
  if (!isTimeZone(timeZone))
    throw new Error(`site.config.ts: timeZone must be a time zone like Asia/Tokyo or Europe/Berlin, not ${timeZone}`)
  const make = (options: Intl.DateTimeFormatOptions, locale = language) => {
    const inUtc = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    const here = new Intl.DateTimeFormat(locale, { ...options, timeZone })
    return (date: Date): string => (date.getTime() % dayMs === 0 ? inUtc : here).format(date)
  }
  return {
    /** The long form of the language, such as `20 November 2026`. */
    toLongDate: make({ dateStyle: 'long' }),
    /** The same without the year. */
    toDayOfYear: make({ day: 'numeric', month: 'long' }),
    /** The year. */
    toYear: make({ year: 'numeric' }),
    /** Such as `2026-11-20`. */
    toIsoDay: make({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'sv'),
  }
}

// Made once: making them takes longer than all else of a line in a list.
export const { toLongDate, toDayOfYear, toYear, toIsoDay } = makeDayTexts(site)
