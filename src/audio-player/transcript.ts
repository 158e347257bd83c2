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

/** The transcript at an address; none when it cannot be had, because one can listen without it. */
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

/** The sentence that is spoken at a time: the last one that has begun. -1 before the first. */
export function sentenceAt(sentences: readonly Sentence[], seconds: number): number {
  let [low, high] = [0, sentences.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sentences[middle]?.startTime ?? 0) <= seconds) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Going back within this long of a sentence's beginning means the one before it. */
const againSeconds = 1.5

/** Which sentence a step from a time leads to. */
export function placeFrom(sentences: readonly Sentence[], seconds: number, by: -1 | 1): number {
  const here = sentenceAt(sentences, seconds)
  if (by === 1) return here + 1
  const isFresh = seconds - (sentences[here]?.startTime ?? 0) < againSeconds
  return Math.max(0, isFresh ? here - 1 : here)
}
