import { describe, expect, it } from 'vitest'
import { toRate } from '../../src/narration/audio/to-rate.ts'
import { findSentenceEnds } from '../../src/narration/narrator/find-sentence-ends.ts'
import { planGroups } from '../../src/narration/plan/plan-groups.ts'
import { plainTextUnits } from '../../src/narration/plan/plan-narration.ts'

const limits = { maxCharacters: 120, maxSeconds: 60 }

describe('groups of sentences', () => {
  it('contain every sentence of the transcript, and begin with chapters', () => {
    const units = [
      ...plainTextUnits('One is here. Two is here.\n\nThree is here.'),
      { text: 'Part II', spoken: 'Part two', chapter: 'Part II' },
      ...plainTextUnits(`Four is here. ${'It goes on and on, '.repeat(20)}to its end.`),
    ]
    const plan = planGroups(units, 1, limits)
    expect(plan.cueTexts.slice(0, 5)).toEqual([
      'One is here.',
      'Two is here.',
      'Three is here.',
      'Part II',
      'Four is here.',
    ])
    expect(plan.chapters).toEqual([{ title: 'Part II', cue: 3 }])
    expect(plan.utterances.slice(0, 2).map(({ spoken, cue }) => ({ spoken, cue }))).toEqual([
      { spoken: 'One is here. Two is here.\n\nThree is here.', cue: 0 },
      { spoken: 'Part two\n\nFour is here.', cue: 3 },
    ])
    const heard = plan.utterances.flatMap(({ shares = [] }) => shares.map(({ cue }) => cue))
    expect([...new Set(heard)]).toEqual(plan.cueTexts.map((_, cue) => cue))
    // A sentence longer than a group is spoken in several groups.
    expect(heard.length).toBeGreaterThan(plan.cueTexts.length)
  })
})

const rate = 24_000
/** Noise of these lengths with a pause after each, and the times at which the pauses begin, in seconds. */
function speak(...seconds: readonly number[]) {
  const pause = new Int16Array(rate * 0.3)
  const loud = (length: number) => Int16Array.from({ length }, (_, place) => (place % 2 === 0 ? 8000 : -8000))
  const parts = seconds.flatMap((length) => [loud(Math.round(length * rate)), pause])
  const pcm = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
  let place = 0
  for (const part of parts) {
    pcm.set(part, place)
    place += part.length
  }
  return pcm
}

describe('the ends of sentences that were spoken in one call', () => {
  it('are the pauses nearest to the estimated ends', () => {
    const pcm = speak(4, 2.2, 5)
    const whole = pcm.length / rate
    const ends = findSentenceEnds(pcm, rate, [{ seconds: 4.6 }, { seconds: 2 }, { seconds: 4.8 }]).map(
      (end) => end * whole,
    )
    expect(ends[0]).toBeGreaterThan(3.9)
    expect(ends[0]).toBeLessThan(4.4)
    expect(ends[1]).toBeGreaterThan(6.4)
    expect(ends[1]).toBeLessThan(6.9)
    expect(ends[2]).toBe(whole)
  })

  it('are in order even without pauses', () => {
    const ends = findSentenceEnds(new Int16Array(rate), rate, [{ seconds: 1 }, { seconds: 1 }, { seconds: 1 }])
    expect(ends).toEqual(ends.toSorted((a, b) => a - b))
    expect(findSentenceEnds(new Int16Array(0), rate, [{ seconds: 1 }, { seconds: 1 }])).toEqual([0, 1])
  })
})

describe('resampled sound', () => {
  it('is the same sound, across chunk borders, too', async () => {
    const tone = (samplesPerSecond: number) =>
      Int16Array.from(
        { length: samplesPerSecond * 2.5 },
        (_, place) => 8000 * Math.sin((2 * Math.PI * 440.3 * place) / samplesPerSecond),
      )
    const [made, wanted] = [await toRate(tone(22_050), 22_050, rate), tone(rate)]
    expect(made.length).toBe(wanted.length)
    const inner = made.slice(100, -100)
    expect(Math.max(...inner.map((sample, place) => Math.abs(sample - (wanted[place + 100] ?? 0))))).toBeLessThan(5)
  })
})
