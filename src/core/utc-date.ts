/** The UTC day of a time in milliseconds, such as `2026-11-22`. */
export const toUtcDate = (at: number): string => new Date(at).toISOString().slice(0, 10)
