const units = [
  ['day', 24 * 60 * 60 * 1000],
  ['hour', 60 * 60 * 1000],
  ['minute', 60 * 1000],
] as const

/** A duration for people: `45 seconds`, `20 minutes`, `3 days`. */
export function toSpan(ms: number): string {
  // From two of a unit on: "90 minutes" says more than "1 hour" or "2 hours".
  const [unit, unitMs] = units.find((each) => ms >= 2 * each[1]) ?? (['second', 1000] as const)
  const count = Math.round(ms / unitMs)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
