import { describe, expect, it } from 'vitest'
import { countFrames, makeInfoFrame, readFrameHeader } from '../../src/narration/audio/info-frame.ts'
import { limit } from '../../src/narration/audio/limiter.ts'
import { makeLoudnessMeter } from '../../src/narration/audio/loudness.ts'
import { openMp3Encoder } from '../../src/narration/audio/mp3-encoder.ts'
import { makeResampler } from '../../src/narration/audio/resampler.ts'
import { trimSilence } from '../../src/narration/audio/trim-silence.ts'

const sine = (hertz: number, rate: number, seconds: number, amplitude: number) =>
  Float32Array.from({ length: rate * seconds }, (_, i) => amplitude * Math.sin((2 * Math.PI * hertz * i) / rate))
const peak = (samples: Float32Array) => samples.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0)
const loudness = (samples: Float32Array, rate: number) => {
  const meter = makeLoudnessMeter(rate)
  meter.add(samples)
  return meter.integrated()
}

describe('the loudness meter', () => {
  it.each([16_000, 24_000, 48_000])('reads the reference tone of BS.1770 at %d Hz', (rate) => {
    expect(loudness(sine(997, rate, 5, 0.1), rate)).toBeCloseTo(-23.01, 1)
  })

  it('ignores pauses', () => {
    const meter = makeLoudnessMeter(48_000)
    meter.add(sine(997, 48_000, 5, 0.1))
    meter.addSilence(48_000 * 20)
    expect(meter.integrated()).toBeGreaterThan(-23.4)
  })

  it('has no result for silence and for the shortest sounds', () => {
    expect(loudness(new Float32Array(48_000), 48_000)).toBe(-Infinity)
    expect(loudness(sine(997, 48_000, 0.1, 0.5), 48_000)).toBe(-Infinity)
  })
})

describe('the limiter', () => {
  it('keeps every sample below the ceiling, and leaves quiet sound unchanged', () => {
    const loud = sine(440, 48_000, 1, 1.8)
    limit(loud, 48_000, -1.5)
    expect(peak(loud)).toBeLessThanOrEqual(10 ** (-1.5 / 20) + 1e-6)
    const quiet = sine(440, 48_000, 1, 0.5)
    const before = quiet.slice()
    limit(quiet, 48_000, -1.5)
    expect(quiet).toEqual(before)
  })
})

describe('the resampler', () => {
  it.each([
    [16_000, 48_000],
    [16_000, 24_000],
    [14_880, 48_000],
    [16_480, 24_000],
  ])('keeps the pitch and the length of a tone from %d to %d Hz', (from, to) => {
    const result = makeResampler(from, to)(sine(1000, from, 1, 0.5))
    expect(result.length).toBe(to)
    const ideal = sine(1000, to, 1, 0.5)
    const worst = peak(result.map((sample, i) => sample - (ideal[i] ?? 0)).slice(to / 100, -to / 100))
    expect(worst).toBeLessThan(0.001)
  })
})

describe('trimming', () => {
  it('keeps a short margin around the sound, without a click at its ends', () => {
    const pcm = new Int16Array(16_000).fill(10_000, 6000, 10_000)
    const trimmed = trimSilence(pcm, 16_000)
    expect(trimmed.length).toBe(4000 + 960 + 800)
    expect([trimmed[0], trimmed.at(-1)]).toEqual([0, 0])
  })

  it('leaves nothing of silence', () => {
    expect(trimSilence(new Int16Array(1000), 16_000)).toHaveLength(0)
    expect(trimSilence(new Int16Array(0), 16_000)).toHaveLength(0)
  })
})

describe('the encoder', () => {
  it.each([
    { sampleRate: 48_000, kbps: 96, bytes: 288, samples: 1152 },
    { sampleRate: 24_000, kbps: 64, bytes: 192, samples: 576 },
  ] as const)('makes frames of one size at $sampleRate Hz', async ({ sampleRate, kbps, bytes, samples }) => {
    const encoder = await openMp3Encoder({ sampleRate, kbps })
    encoder.add(sine(440, sampleRate, 3, 0.3))
    encoder.addSilence(sampleRate / 2)
    const audio = encoder.end()
    expect(encoder.count()).toBe(sampleRate * 3.5)
    expect(readFrameHeader(audio, 0)).toMatchObject({ sampleRate, kbps, bytes, samples, isMono: true, isPadded: false })
    expect(audio.length).toBe(countFrames(audio) * bytes)
    expect(countFrames(audio) * samples).toBeGreaterThanOrEqual(encoder.count())
    const info = Buffer.from(makeInfoFrame(audio, encoder.count()))
    expect(info.length).toBe(bytes)
    const place = info.indexOf('Info')
    expect(info.readUInt32BE(place + 8)).toBe(countFrames(audio))
    expect(info.readUInt32BE(place + 12)).toBe(audio.length + info.length)
    const trims = info.readUIntBE(info.indexOf('LAME') + 21, 3)
    expect(countFrames(audio) * samples - (trims >> 12) - (trims & 0xfff)).toBe(encoder.count())
  })

  it('does not accept other bytes as audio', () => {
    expect(readFrameHeader(new Uint8Array(0), 0)).toBeUndefined()
    expect(readFrameHeader(Buffer.from('<html>'), 0)).toBeUndefined()
    expect(() => countFrames(Buffer.from('ID3'))).toThrow('no MPEG audio frame')
  })
})
