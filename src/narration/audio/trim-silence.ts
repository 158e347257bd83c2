/** Where a sentence can first be heard; a soft breath before that is shortened, so that a cue points at words. */
const onset = 200
/** Quieter than this is silence; the engine's own noise floor is far below it. */
const silence = 80
const headSeconds = 0.06
const tailSeconds = 0.05
const fadeSeconds = 0.008

/** The loud part of some speech with a breath before and after it, faded in and out so that joins do not click. */
export function trimSilence(pcm: Int16Array, rate: number): Int16Array {
  const first = pcm.findIndex((sample) => Math.abs(sample) >= onset)
  if (first < 0) return new Int16Array(0)
  const last = pcm.findLastIndex((sample) => Math.abs(sample) >= silence)
  const start = Math.max(0, first - Math.round(headSeconds * rate))
  const trimmed = pcm.slice(start, last + 1 + Math.round(tailSeconds * rate))
  const fade = Math.min(trimmed.length >> 1, Math.round(fadeSeconds * rate))
  for (let place = 0; place < fade; place += 1) {
    const end = trimmed.length - 1 - place
    trimmed[place] = Math.round(((trimmed[place] ?? 0) * place) / fade)
    trimmed[end] = Math.round(((trimmed[end] ?? 0) * place) / fade)
  }
  return trimmed
}
