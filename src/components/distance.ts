const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const units = [
  ['day', 24 * 60 * 60 * 1000],
  ['hour', 60 * 60 * 1000],
  ['minute', 60 * 1000],
] as const

/** The distance of a time from now in words: `3 minutes ago`, `in 2 hours`, `in a moment`. */
export function toDistance(date: Date, now: Date): string {
  const ms = date.getTime() - now.getTime()
  const unit = units.find(([, unitMs]) => Math.abs(ms) >= unitMs)
  if (unit) return words.format(Math.round(ms / unit[1]), unit[0])
  return ms <= 0 ? 'a moment ago' : 'in a moment'
}
