/**
 * Amplitude from which a sentence counts as begun. A soft breath before it is shortened, so that a cue points at words.
 */
const onset = 200
/** Amplitude below which a sample is silence. The noise floor of the engine is far lower. */
const silence = 80
const headSeconds = 0.06
const tailSeconds = 0.05
const fadeSeconds = 0.008

/** Cuts the silence at both ends of speech except for some ms, and fades in and out so that joins do not click. */
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
