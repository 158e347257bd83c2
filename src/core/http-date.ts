const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const month = `(?<month>${months.join('|')})`
const time = String.raw`(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60)`
const weekday = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const longWeekday = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'

/** The current format of HTTP dates and the two obsolete ones that recipients must accept (RFC 9110, 5.6.7). */
const forms = [
  String.raw`${weekday}, (?<day>\d\d) ${month} (?<year>\d{4}) ${time} GMT`,
  String.raw`${longWeekday}, (?<day>\d\d)-${month}-(?<year>\d\d) ${time} GMT`,
  String.raw`${weekday} ${month} (?<day>\d\d| \d) ${time} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`))

/**
 * The date of a header in milliseconds since 1970; undefined for text that is not an HTTP date, which recipients have
 * to ignore. `Date.parse` is too lenient: it reads `0` as the year 2000.
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
  // `Date` turns the 30th of February into a day of March, so a different day means that the date does not exist.
  if (at.getUTCDate() !== day) return undefined
  return at.setUTCHours(hour, minute, second)
}

/**
 * The year of two digits (RFC 850 dates): in this century, or in the one before if that would be more than 50 years in
 * the future (RFC 9110, 5.6.7).
 */
function toWholeYear(digits: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + digits
  return year > thisYear + 50 ? year - 100 : year
}
