const two = (value: number): string => String(value).padStart(2, '0')

/** The length of a recording in whole seconds, as `itunes:duration` has it. */
export const toWholeSeconds = (durationMs: number): number => Math.round(durationMs / 1000)

/** The length of a recording for people: `04:07`, from one hour `1:02:03`. */
export function toDurationText(durationMs: number): string {
  const seconds = toWholeSeconds(durationMs)
  const hours = Math.floor(seconds / 3600)
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}

/** A position in a recording for people: `0:07`, `75:10`. Rounded down, so that playing from there skips nothing. */
export function toStartText(startMs: number): string {
  const seconds = Math.floor(startMs / 1000)
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`
}
