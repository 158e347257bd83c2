import { toPrintable } from '../read/to-printable.ts'
import { type CheckId, type Judgement, judge } from './checks.ts'

/** Fewer that agree may well be of one day. */
const leastAlike = 3
const dayMs = 86_400_000
const rfc822 =
  /^(?:(mon|tue|wed|thu|fri|sat|sun),\s+)?(\d{1,2}\s+[a-z]{3}\s+(?:\d{2}|\d{4})\s+\d\d:\d\d(?::\d\d)?)\s+(?:[a-z]{1,3}|[+-]\d{4})$/i
const rfc3339 = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i

/** Of RSS: as mail has them, with the weekday that belongs to the day. Of the year two digits are enough (RSS 2.0). */
export function isMailDate(text: string): boolean {
  const [, weekday, rest] = rfc822.exec(text) ?? []
  if (rest === undefined || Number.isNaN(Date.parse(text))) return false
  const local = new Date(`${rest} GMT`)
  return weekday === undefined || local.toUTCString().toLowerCase().startsWith(weekday.toLowerCase())
}

/** Of Atom and JSON Feed. */
export const isTimestamp = (text: string): boolean => rfc3339.test(text) && !Number.isNaN(Date.parse(text))

/** Of sitemaps, where the day is enough. */
export const isWebDate = (text: string): boolean =>
  (/^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(text) ||
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)) &&
  !Number.isNaN(Date.parse(text))

/** Whether dates have their form, lie in the past, and are not all the moment in which the document was written. */
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
