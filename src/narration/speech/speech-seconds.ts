/** Estimated seconds of one character by its kind, at natural pace. The first matching kind counts. */
const kinds = [
  [/\p{N}/u, 0.45],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u, 0.25],
  [/[\p{L}\p{M}]/u, 0.08],
  [/\s/u, 0.03],
] as const
const otherSeconds = 0.1

/** Estimated seconds that a voice of any language takes for a text at natural pace. */
export function speechSeconds(text: string): number {
  let seconds = 0
  for (const sign of text) seconds += kinds.find(([kind]) => kind.test(sign))?.[1] ?? otherSeconds
  return seconds
}
