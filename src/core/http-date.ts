const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const month = `(?<month>${months.join('|')})`
const time = String.raw`(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60)`
const weekday = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const longWeekday = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'

/** The form that is written today, and the two that were before (RFC 9110, 5.6.7). */
const forms = [
  String.raw`${weekday}, (?<day>\d\d) ${month} (?<year>\d{4}) ${time} GMT`,
  String.raw`${longWeekday}, (?<day>\d\d)-${month}-(?<year>\d\d) ${time} GMT`,
  String.raw`${weekday} ${month} (?<day>\d\d| \d) ${time} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`))

/**
 * The date of a header, in milliseconds since 1970; undefined for what is none, which whoever gets it has to leave out of
 * account. `Date.parse` makes a date of nearly everything, of `0` the year 2000.
 *
 * @example readHttpDate('Fri, 20 Nov 2026 12:00:10 GMT') // 1795176010000
 */
export function readHttpDate(text: string, now: number = Date.now()): number | undefined {
  const trimmed = text.trim()
  const found = forms.map((form) => form.exec(trimmed)?.groups).find((groups) => groups !== undefined)
  if (!found) return undefined
  const [day = 0, hour = 0, minute = 0, second = 0] = ['day', 'hour', 'minute', 'second'].map((part) =>
    Number(found[part]),
  )
  const { month: name = '', year: written = '' } = found
  const year = written.length === 2 ? toWholeYear(Number(written), now) : Number(written)
  const at = new Date(0)
  at.setUTCFullYear(year, months.indexOf(name), day)
  // The 30th of February would be another day.
  if (at.getUTCDate() !== day) return undefined
  return at.setUTCHours(hour, minute, second)
}

/** Of two digits: the year of this century, or the one before when that would be more than 50 years ahead. */
function toWholeYear(digits: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + digits
  return year > thisYear + 50 ? year - 100 : year
}
