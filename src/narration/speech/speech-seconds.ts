/** About how long one sign of a kind is heard, in seconds at natural pace. The first kind that fits counts. */
const kinds = [
  [/\p{N}/u, 0.45],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u, 0.25],
  [/[\p{L}\p{M}]/u, 0.08],
  [/\s/u, 0.03],
] as const
const otherSeconds = 0.1

/** About how long a voice of any language takes for a text, at natural pace. */
export function speechSeconds(text: string): number {
  let seconds = 0
  for (const sign of text) seconds += kinds.find(([kind]) => kind.test(sign))?.[1] ?? otherSeconds
  return seconds
}
