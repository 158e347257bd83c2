import { toPrintable } from '../read/to-printable.ts'
import { type CheckId, type Judgement, judge } from './checks.ts'

/** With fewer equal dates than this, all entries may really be of the same moment. */
const leastAlike = 3
const dayMs = 86_400_000
const rfc822 =
  /^(?:(mon|tue|wed|thu|fri|sat|sun),\s+)?(\d{1,2}\s+[a-z]{3}\s+(?:\d{2}|\d{4})\s+\d\d:\d\d(?::\d\d)?)\s+(?:[a-z]{1,3}|[+-]\d{4})$/i
const rfc3339 = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i

/**
 * Whether this day of the month exists at a local time that is given as if it were UTC: `Date.parse` takes 30 February
 * for 2 March, and 24:00 for the next day.
 */
const isDay = (day: string, local: string): boolean => new Date(local).getUTCDate() === Number(day)

/** Whether the day of a date as in RFC 3339 exists. A year or a month alone has none. */
const hasDay = (text: string): boolean =>
  text.length < 10 || isDay(text.slice(8, 10), `${text.slice(0, 10)}T${text.slice(11, 16) || '00:00'}Z`)

/** Whether a text is an RFC 822 date, as in RSS 2.0. A weekday must be the right one; two-digit years are allowed. */
export function isMailDate(text: string): boolean {
  const [, weekday, rest] = rfc822.exec(text) ?? []
  if (rest === undefined || Number.isNaN(Date.parse(text))) return false
  const local = `${rest} GMT`
  const isWeekday = new Date(local)
    .toUTCString()
    .toLowerCase()
    .startsWith(weekday?.toLowerCase() ?? '')
  return isWeekday && isDay(rest.split(/\s/, 1)[0] ?? '', local)
}

/** Whether a text is an RFC 3339 date and time, as Atom and JSON Feed require. */
export const isTimestamp = (text: string): boolean =>
  rfc3339.test(text) && !Number.isNaN(Date.parse(text)) && hasDay(text)

/** Whether a text is a W3C date, as sitemaps require: a year, a month or a day is enough. */
export const isWebDate = (text: string): boolean =>
  (/^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(text) ||
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)) &&
  !Number.isNaN(Date.parse(text)) &&
  hasDay(text)

/**
 * Whether all dates are well-formed, none is more than a day in the future, and they are not all equal, as when the
 * time of the build is written into every entry.
 */
export function judgeDates(
  id: CheckId,
  dates: readonly string[],
  { isDate, form, now }: { isDate: (text: string) => boolean; form: string; now: Date },
): Judgement {
  const wrong = dates.find((date) => !isDate(date))
  if (wrong !== undefined) return judge(id, false, `“${toPrintable(wrong, 60)}” is not ${form}.`)
  const future = dates.find((date) => Date.parse(date) > now.getTime() + dayMs)
  if (future !== undefined) return judge(id, false, `${toPrintable(future, 60)} has yet to come.`)
  const isAlike = dates.length >= leastAlike && new Set(dates).size === 1 && /\d:\d/.test(dates[0] ?? '')
  return judge(id, !isAlike, `All ${dates.length} are ${dates[0]}, as if texts changed when the site is built.`)
}
