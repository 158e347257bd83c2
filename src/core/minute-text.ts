/** A time to the minute in UTC: `2026-11-22 09:18 UTC`. */
export const toMinuteText = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
