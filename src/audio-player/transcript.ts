/** A sentence as it is spoken; times in seconds. */
export interface Sentence {
  readonly startTime: number
  readonly endTime: number
  readonly body: string
}

const isSentence = (value: unknown): value is Sentence =>
  typeof value === 'object' &&
  value !== null &&
  'startTime' in value &&
  typeof value.startTime === 'number' &&
  'endTime' in value &&
  typeof value.endTime === 'number' &&
  'body' in value &&
  typeof value.body === 'string'

/** Loads a transcript; empty when it cannot be loaded, because the audio can be played without it. */
export async function loadTranscript(url: string): Promise<Sentence[]> {
  try {
    const response = await fetch(url)
    const transcript: unknown = response.ok ? await response.json() : undefined
    if (typeof transcript !== 'object' || transcript === null || !('segments' in transcript)) return []
    return Array.isArray(transcript.segments) ? transcript.segments.filter(isSentence) : []
  } catch {
    return []
  }
}

/** Index of the sentence that is spoken at a time: the last one that has begun; -1 before the first. */
export function sentenceAt(sentences: readonly Sentence[], seconds: number): number {
  let [low, high] = [0, sentences.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sentences[middle]?.startTime ?? 0) <= seconds) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Stepping back within this time after the start of a sentence leads to the sentence before. */
const againSeconds = 1.5

/** Index of the sentence to which a step from a time leads; it may be beyond the last one. */
export function placeFrom(sentences: readonly Sentence[], seconds: number, by: -1 | 1): number {
  const here = sentenceAt(sentences, seconds)
  if (by === 1) return here + 1
  const isFresh = seconds - (sentences[here]?.startTime ?? 0) < againSeconds
  return Math.max(0, isFresh ? here - 1 : here)
}
