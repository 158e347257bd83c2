import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import nodeId3 from 'node-id3'
import { afterAll, describe, expect, it } from 'vitest'
import { master } from '../../src/narration/audio/master.ts'
import { trimSilence } from '../../src/narration/audio/trim-silence.ts'
import { makeNarrator, type Narration, type NarrationRequest } from '../../src/narration/narrator/narrate.ts'
import { memoryPcmCache } from '../../src/narration/narrator/pcm-cache.ts'
import { plainTextUnits } from '../../src/narration/plan/plan-narration.ts'
import { openFlite } from '../../src/narration/speech/flite.ts'
import { resolveVoice } from '../../src/narration/speech/voices.ts'
import { figure } from '../support/figures.ts'
import { readMp3 } from '../support/read-mp3.ts'

const run = promisify(execFile)
const hasFfmpeg = await run('ffmpeg', ['-version']).then(
  () => true,
  () => false,
)

const prose =
  'The first thing you notice about the valley is how quiet it is. Dr. Marsh, who has spent 14 winters here, says the silence is misleading. ' +
  'In 1987, when the survey began, the team measured the ice with a steel tape. Today they use satellites, drones, and a fleet of sensors.\n\n'

const request = (text: string, more: Partial<NarrationRequest> = {}): NarrationRequest => ({
  units: plainTextUnits(text),
  voiceId: 'English_SereneWoman',
  speed: 1,
  model: 'hd',
  title: 'The silent valley',
  artist: 'A press',
  ...more,
})

const narrator = makeNarrator({ threads: 2 })
afterAll(() => narrator.close())

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

function expectSound({ mp3, durationMs, sampleRate, cues }: Narration) {
  const file = readMp3(mp3)
  expect(file.sampleRate).toBe(sampleRate)
  expect(file.sizes.size).toBe(1)
  expect(file.info.frames).toBe(file.frames)
  expect(file.info.bytes).toBe(file.audioBytes)
  expect(Math.round((file.info.samples * 1000) / sampleRate)).toBe(durationMs)
  const playedMs = (file.frames * file.samplesPerFrame * 1000) / sampleRate
  expect(playedMs - durationMs).toBeGreaterThanOrEqual(0)
  expect(playedMs - durationMs).toBeLessThan(100)
  expect(Math.round(playedMs / 1000)).toBe(Math.round(durationMs / 1000))
  let before = 0
  for (const { startMs, endMs } of cues) {
    expect(startMs).toBeGreaterThanOrEqual(before)
    expect(endMs).toBeGreaterThan(startMs)
    before = endMs
  }
  expect(before).toBeLessThanOrEqual(durationMs)
}

describe('a narration', () => {
  it.each([
    ['hd', 48_000, 288],
    ['turbo', 24_000, 192],
  ] as const)('in %s has the expected sample rate, frames, cues and length', async (model, sampleRate, frameBytes) => {
    const narration = await narrator.narrate(request(prose, { model }))
    expect(narration.sampleRate).toBe(sampleRate)
    expect([...readMp3(narration.mp3).sizes]).toEqual([frameBytes])
    expectSound(narration)
    expect(narration.cues).toHaveLength(4)
    expect(narration.cues.map(({ text }) => text).join(' ')).toBe(prose.trim())
    expect(narration.durationMs).toBeGreaterThan(12_000)
    expect(narration.durationMs).toBeLessThan(30_000)
  })

  it('has the same bytes whenever it is made, with a cache and without', async () => {
    const cache = memoryPcmCache(50e6)
    const cached = makeNarrator({ threads: 1, cache })
    const ask = request('Same text. Same sound.', { voiceId: 'English_DeepMan' })
    const files = [await narrator.narrate(ask), await cached.narrate(ask), await cached.narrate(ask)]
    await cached.close()
    expect(new Set(files.map(({ mp3 }) => md5(mp3))).size).toBe(1)
  })

  it('speaks a repeated sentence once, and after an edit only what changed', async () => {
    const asked: string[] = []
    const kept: string[] = []
    const memory = memoryPcmCache(50e6)
    const cached = makeNarrator({
      threads: 2,
      cache: {
        find: (key) => {
          asked.push(key)
          return memory.find(key)
        },
        keep: (key, pcm) => {
          kept.push(key)
          return memory.keep(key, pcm)
        },
      },
    })
    await cached.narrate(request('One thing. Another thing.'))
    await cached.narrate(request('One thing. A changed thing.', { model: 'turbo' }))
    await cached.narrate(request('One thing.', { speed: 1.5 }))
    await cached.close()
    expect([asked.length, kept.length]).toEqual([5, 4])
  })

  it('contains title, cover and chapters, with names in any script', async () => {
    const cover = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
    const units = [
      { text: 'A “title”', spoken: 'A title', chapter: 'Ein „Titel“ 日本語\u0000\n' },
      { text: 'Some words here.', spoken: 'Some words here.' },
      { text: 'Two', spoken: 'Two', chapter: 'Two' },
      { text: 'More words.', spoken: 'More words.' },
    ]
    const { mp3, chapters, cues } = await narrator.narrate(
      request('', { units, title: 'Naïve 日本語\u0000', album: 'Album', cover }),
    )
    expect(chapters.map(({ title }) => title)).toEqual(['Ein „Titel“ 日本語\u0000\n', 'Two'])
    expect(chapters.map(({ startMs }) => startMs)).toEqual([0, cues[2]?.startMs])
    const tag = nodeId3.read(Buffer.from(mp3))
    expect([tag.title, tag.artist, tag.album]).toEqual(['Naïve 日本語', 'A press', 'Album'])
    expect(tag.chapter?.map(({ tags }) => tags?.title)).toEqual(['Ein „Titel“ 日本語', 'Two'])
    expect(tag.image).toMatchObject({ mime: 'image/jpeg', imageBuffer: cover })
  })

  it('takes about half or twice the time at the requested speed', async () => {
    const [slow, normal, fast] = await Promise.all(
      [0.5, 1, 2].map(async (speed) => (await narrator.narrate(request(prose, { speed, model: 'turbo' }))).durationMs),
    )
    expect((slow ?? 0) / (normal ?? 1)).toBeCloseTo(1.9, 0)
    expect((fast ?? 0) / (normal ?? 1)).toBeCloseTo(0.55, 1)
  })

  it('says which voice was used', async () => {
    const { voiceId } = await narrator.narrate(request('Hello.', { voiceId: 'Deep_Voice_Man' }))
    expect(voiceId).toBe('English_DeepMan')
  })

  it.each([
    'Hi',
    'a',
    '-o /etc/passwd --setf x=1',
    '<speak><break time="500ms"/>&amp; hi</speak>',
    'word\u0000word \u202e\ud800 \u0007',
    'x'.repeat(1200),
    'qwrtpsdfgh '.repeat(8),
  ])('can be made of unusual text: %#', async (text) => {
    expectSound(await narrator.narrate(request(text, { model: 'turbo' })))
  })

  it.each(['', '…', '東京 😀', '\u0000'])('without speakable text is refused: %j', async (text) => {
    await expect(narrator.narrate(request(text))).rejects.toThrow('nothing that can be spoken')
  })

  it('that would last for hours is refused, and so is an impossible speed', async () => {
    await expect(narrator.narrate(request('777,777 '.repeat(1180)))).rejects.toThrow('would last')
    await expect(narrator.narrate(request('qwrtpsdfgh '.repeat(860)))).rejects.toThrow('would last')
    await expect(narrator.narrate(request('Hi.', { speed: 0 }))).rejects.toThrow('speed')
    await expect(narrator.narrate(request('Hi.', { speed: Number.NaN }))).rejects.toThrow('speed')
  })

  it('stops when it is aborted, and the next one is not affected', async () => {
    await expect(narrator.narrate(request('Hi.'), { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
    const early = new AbortController()
    const first = narrator.narrate(request(prose.repeat(5)), {
      signal: early.signal,
      onProgress: () => early.abort(new Error('enough')),
    })
    await expect(first).rejects.toThrow('enough')
    const late = new AbortController()
    const second = narrator.narrate(request(prose.repeat(3)), {
      signal: late.signal,
      onProgress: (done, of) => {
        if (done === of) setImmediate(() => late.abort(new Error('too late')))
      },
    })
    await expect(second).rejects.toThrow('too late')
    expectSound(await narrator.narrate(request('Still here.')))
  })
})

// Responsiveness and memory are also tested with a whole site, in bought-narration and media-scan.
describe.runIf(figure(0, 1) === 1)('the work of narrating', { timeout: 600_000 }, () => {
  it('does not run on the event loop, which stays as free as when idle', async () => {
    const say = await openFlite()
    const voice = resolveVoice('')
    const begun = process.threadCpuUsage()
    const pieces = []
    for (const { text } of plainTextUnits(prose.replaceAll('. ', '.\n\n')))
      pieces.push({ pcm: trimSilence(await say(text, voice, 1), 16_000), pauseSeconds: 0.4 })
    await master({
      pieces,
      rate: 16_000,
      timbre: 'synthetic',
      format: { sampleRate: 48_000, kbps: 96 },
      tag: { title: 'a', artist: 'b' },
      chapters: [],
    })
    const inline = process.threadCpuUsage(begun)
    const before = process.memoryUsage().rss
    const asked = process.threadCpuUsage()
    const start = performance.eventLoopUtilization()
    await narrator.narrate(request(prose))
    const { utilization } = performance.eventLoopUtilization(start)
    expect(utilization).toBeLessThan(0.3)
    expect(process.threadCpuUsage(asked).user).toBeLessThan(inline.user / 4)
    expect(process.memoryUsage().rss - before).toBeLessThan(400e6)
  })

  const length = 9500
  it(`holds ${length} characters in bounded memory`, async () => {
    const text = prose.repeat(40).slice(0, length)
    let highest = 0
    const watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().rss)
    }, 50)
    const before = process.memoryUsage().rss
    const narration = await narrator.narrate(request(text))
    clearInterval(watch)
    expectSound(narration)
    expect(narration.durationMs).toBeGreaterThan(length * 42)
    expect(highest - before).toBeLessThan(450e6)
  })

  it.skipIf(!hasFfmpeg)(
    'has a loudness of -16 LUFS as measured by ffmpeg (skipped where ffmpeg is not installed)',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'narration-'))
      try {
        for (const voiceId of ['English_SereneWoman', 'English_DeepMan']) {
          const { mp3, durationMs } = await narrator.narrate(request(prose, { voiceId }))
          const file = join(folder, 'a.mp3')
          await writeFile(file, mp3)
          const { stderr } = await run('ffmpeg', [
            '-nostats',
            '-i',
            file,
            '-af',
            'ebur128=peak=true',
            '-f',
            'null',
            '-',
          ])
          const summary = stderr.slice(stderr.lastIndexOf('Summary:'))
          expect(Number(/I:\s+(-?[\d.]+) LUFS/.exec(summary)?.[1])).toBeCloseTo(-16, 0)
          expect(Number(/Peak:\s+(-?[\d.]+) dBFS/.exec(summary)?.[1])).toBeLessThan(-0.3)
          const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', file, '-f', 's16le', '-'], {
            encoding: 'buffer',
            maxBuffer: 1e9,
          })
          expect(Math.abs(stdout.length / 2 / 48 - durationMs)).toBeLessThan(2)
        }
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  )
})
