const units = [
  ['day', 24 * 60 * 60 * 1000],
  ['hour', 60 * 60 * 1000],
  ['minute', 60 * 1000],
] as const

/** How long something is, as people say it: `45 seconds`, `20 minutes`, `3 days`. */
export function toSpan(ms: number): string {
  // Two of a smaller unit are more telling than one and a bit of the larger.
  const [unit, unitMs] = units.find((each) => ms >= 2 * each[1]) ?? (['second', 1000] as const)
  const count = Math.round(ms / unitMs)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
