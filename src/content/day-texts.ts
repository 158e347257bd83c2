import site from '../../site.config.ts'
import { isTimeZone } from '../core/time-zone.ts'

const dayMs = 86_400_000

/** How days are told: in which language, and where they begin (UTC when absent). */
interface Told {
  readonly language: string
  readonly timeZone?: string
}

/**
 * Makes the functions that say the day of a time. Midnight in UTC is what front matter without a time of day means, and
 * the same day everywhere; any other time has the day that it is in the time zone.
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
    /** In words, as the language writes it. */
    toLongDate: make({ dateStyle: 'long' }),
    /** The same without the year. */
    toDayOfYear: make({ day: 'numeric', month: 'long' }),
    /** The year of the language's calendar. */
    toYear: make({ year: 'numeric' }),
    /** Such as `2026-11-20`. */
    toIsoDay: make({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'sv'),
  }
}

// Made once: making them takes longer than all else of a line in a list.
export const { toLongDate, toDayOfYear, toYear, toIsoDay } = makeDayTexts(site)
