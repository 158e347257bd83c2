import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readWriting } from '../../src/content/writing.ts'
import type { Narration } from '../../src/narration/narrator/narrate.ts'
import { makeNarrator } from '../../src/narration/narrator/narrate.ts'
import { toSpokenUnits } from '../../src/narration/text/spoken-text.ts'
import { launch } from '../support/browser.ts'
import { testBrowser } from '../support/test-browser.ts'

const post = `A farthing was a quarter of a penny. It was the smallest coin in England, until 1960.

## Why it matters

Small prices need small money. A card payment costs more than a page is worth; a coin does not!

- First, count the cost.
- Then, name the price.

| Coin | Worth |
| --- | --- |
| Penny | 4 |

Who pays? Whoever reads.`

/** The length of one loudness measurement (ms) of the decoded sound. */
const stepMs = 5
const soundSchema = z.object({ seconds: z.number(), levels: z.array(z.number()) })

let browser: Browser
let narration: Narration
let sound: z.output<typeof soundSchema>
beforeAll(async () => {
  browser = await launch(testBrowser())
  const narrator = makeNarrator({ threads: 2 })
  const units = toSpokenUnits(readWriting(post), { title: 'The smallest coin' })
  narration = await narrator.narrate({ units, voiceId: '', speed: 1, model: 'hd', title: 'A', artist: 'B' })
  await narrator.close()
  const page = await browser.newPage()
  const decoded = await page.evaluate(
    async ([base64, step]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const audio = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(bytes.buffer)
      const samples = audio.getChannelData(0)
      const perStep = (audio.sampleRate * step) / 1000
      const levels = Array.from({ length: Math.floor(samples.length / perStep) }, (_, index) =>
        Math.sqrt(
          samples.subarray(index * perStep, (index + 1) * perStep).reduce((sum, value) => sum + value * value, 0) /
            perStep,
        ),
      )
      return { seconds: audio.duration, levels }
    },
    [Buffer.from(narration.mp3).toString('base64'), stepMs] as const,
  )
  sound = soundSchema.parse(decoded)
})
afterAll(() => browser?.close())

const isLoud = (step: number) => (sound.levels[step] ?? 0) > 0.01

/** The times at which speech begins after at least 200 ms of silence. */
function onsets(): number[] {
  const found: number[] = []
  let silence = Number.POSITIVE_INFINITY
  for (let step = 0; step < sound.levels.length; step++) {
    if (isLoud(step) && silence * stepMs >= 200) found.push(step * stepMs)
    silence = isLoud(step) ? 0 : silence + 1
  }
  return found
}

describe('a narration as a browser plays it', () => {
  it('lasts as long as its metadata says', () => {
    expect(Math.abs(sound.seconds * 1000 - narration.durationMs)).toBeLessThan(100)
    expect(Math.round(sound.seconds)).toBe(Math.round(narration.durationMs / 1000))
  })

  it('begins each sentence where its cue says, after silence', () => {
    expect(narration.cues.length).toBeGreaterThan(10)
    const begun = onsets()
    const late = narration.cues.map(({ startMs }) => Math.min(...begun.map((at) => Math.abs(at - startMs))))
    expect(late.filter((ms) => ms > 150)).toEqual([])
  })

  it('is silent between the end of a cue and the next', () => {
    for (const [index, { endMs }] of narration.cues.entries()) {
      const next = narration.cues[index + 1]?.startMs ?? narration.durationMs
      const between = sound.levels.slice(Math.ceil(endMs / stepMs) + 10, Math.floor(next / stepMs) - 10)
      expect(Math.max(0, ...between)).toBeLessThan(0.01)
    }
  })
})
