import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { toUnits } from '../../functions/narrate/to-units.ts'
import { openFinishedNarrations } from '../../src/narration/narrator/finished-narrations.ts'
import { makeNarrator } from '../../src/narration/narrator/narrate.ts'
import { makeSpeakText, type TextToSpeak } from '../../src/narration/narrator/speak-text.ts'
import { Unspeakable } from '../../src/narration/plan/unspeakable.ts'

const narrator = makeNarrator({ threads: 2, maxSeconds: 60 })
afterAll(() => narrator.close())

const asked = (text: string, more: Partial<TextToSpeak> = {}): TextToSpeak => ({
  units: toUnits({ text }),
  voiceId: '',
  speed: 1,
  quality: 'turbo',
  ...more,
})

/** Records what the narrator is asked for. */
async function openSpeaker(change: Partial<Parameters<typeof makeSpeakText>[0]> = {}) {
  const made: string[] = []
  const pieces: number[] = []
  const reported: unknown[] = []
  const finished = await openFinishedNarrations(mkdtempSync(join(tmpdir(), 'farthing-spoken-')), 50e6)
  const counting = {
    ...narrator,
    narrate: async (...[request, options]: Parameters<typeof narrator.narrate>) => {
      made.push(request.title)
      return narrator.narrate(request, { ...options, onProgress: (done) => pieces.push(done) })
    },
  }
  const report = (error: unknown) => void reported.push(error)
  return {
    made,
    pieces,
    reported,
    speak: makeSpeakText({ narrator: counting, finished, atATime: 1, report, ...change }),
  }
}

describe('a spoken text', () => {
  it('is made again when anything audible differs, and only then', async () => {
    const { made, speak } = await openSpeaker()
    const first = await speak(asked('One thing.'))
    const different = [
      asked('Another thing.'),
      asked('One thing.', { speed: 1.1 }),
      asked('One thing.', { voiceId: 'English_DeepMan' }),
      asked('One thing.', { quality: 'hd' }),
    ]
    for (const text of different) expect(Buffer.compare((await speak(text)).mp3, first.mp3)).not.toBe(0)
    expect(made).toHaveLength(5)
    for (const same of [asked('One thing.'), asked(' One thing.\n'), asked('One thing.', { voiceId: 'Calm Man' })])
      expect(await speak(same)).toEqual(first)
    expect(made).toHaveLength(5)
  })

  it('is made once for identical requests at the same moment', async () => {
    const { made, speak } = await openSpeaker({ atATime: 3 })
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => speak(asked('One thing.'))))
    expect(others).toEqual([first, first])
    expect(made).toHaveLength(1)
  })

  it('is made for an identical request when the first one was aborted', async () => {
    const { speak } = await openSpeaker()
    const gone = new AbortController()
    const first = speak(asked('One thing.'), gone.signal)
    const second = speak(asked('One thing.'))
    gone.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    expect((await second).durationMs).toBeGreaterThan(500)
  })

  it('is delivered when it cannot be cached, and that is reported', async () => {
    const full = { find: async () => undefined, keep: () => Promise.reject(new Error('ENOSPC')) }
    const { reported, speak } = await openSpeaker({ finished: full })
    expect((await speak(asked('Full disk.'))).mp3.byteLength).toBeGreaterThan(1000)
    expect(String(reported)).toContain('ENOSPC')
  })

  it('is made again when the cache cannot be read, and that is reported', async () => {
    const unreadable = { find: () => Promise.reject(new Error('EMFILE')), keep: async () => {} }
    const { reported, speak } = await openSpeaker({ finished: unreadable })
    expect((await speak(asked('Too many files.'))).mp3.byteLength).toBeGreaterThan(1000)
    expect(String(reported)).toContain('EMFILE')
  })

  it('is refused before any work when nothing in it can be spoken or it would last too long', async () => {
    const { pieces, speak } = await openSpeaker()
    for (const text of ['東京', '🪙', 'word '.repeat(1500)])
      await expect(speak(asked(text))).rejects.toThrow(Unspeakable)
    expect(pieces).toEqual([])
    await speak(asked('One thing.'))
    expect(pieces).not.toEqual([])
  })

  it('waits while another one is made, and is not made at all when its caller has gone meanwhile', async () => {
    const { speak } = await openSpeaker()
    const long = speak(asked('A sentence of some length is spoken here. '.repeat(12)))
    const gone = new AbortController()
    const waiting = speak(asked('Nobody waits for this.'), gone.signal)
    await wait(50)
    gone.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    expect((await long).durationMs).toBeGreaterThan(10_000)
    expect((await speak(asked('The next one is made.'))).durationMs).toBeGreaterThan(500)
  })
})
