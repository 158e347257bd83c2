import { type Band, filter, toBiquad } from './biquad.ts'
import { makeId3Tag, type TagInput } from './id3-tag.ts'
import { makeInfoFrame } from './info-frame.ts'
import { limit } from './limiter.ts'
import { makeLoudnessMeter } from './loudness.ts'
import { type Mp3Format, openMp3Encoder } from './mp3-encoder.ts'
import { makeResampler } from './resampler.ts'

/** A piece of speech and the length of the pause after it. */
export type Piece = { pcm: Int16Array; pauseSeconds: number }

/** Everything that a file is made from. A chapter begins with a piece, given by its index. */
export type MasterInput = {
  pieces: readonly Piece[]
  /** Samples per second of the pieces. */
  rate: number
  /** Speech that sounds natural gets no equaliser for synthetic voices. */
  timbre: 'synthetic' | 'natural'
  format: Mp3Format
  tag: Omit<TagInput, 'chapters'>
  chapters: readonly { title: string; piece: number }[]
}

/** A finished file, with the start and end of each piece in samples of the output. */
export type Master = {
  mp3: Uint8Array
  samples: number
  marks: { start: number; end: number }[]
  chapters: TagInput['chapters']
}

/** Loudness of a finished file, in LUFS. */
const targetLufs = -16
/** LAME scales its input by 0.95, in every build. */
const encoderLossDb = 0.45
/** Limit for peaks, in dBFS: encoding raises true peaks by up to 0.8 dB. */
const ceilingDb = -1.5
/** Gain for sound too short to be measured: about what ordinary speech of the engine needs. */
const usualGainDb = 4
const maxGainDb = 20
const leadInSeconds = 0.2

const rumble: Band = { type: 'highPass', hertz: 70, q: Math.SQRT1_2, gainDb: 0 }

const equalisers: Readonly<Record<MasterInput['timbre'], readonly Band[]>> = {
  natural: [rumble],
  // Reduces the boominess of synthetic voices and adds treble: their mean spectrum comes closer to human speech.
  synthetic: [
    rumble,
    { type: 'peak', hertz: 168, q: 1.2, gainDb: -5 },
    { type: 'peak', hertz: 260, q: 1.2, gainDb: 3 },
    { type: 'highShelf', hertz: 3500, q: 0.7, gainDb: 1.5 },
  ],
}

type ToSound = (pcm: Int16Array) => Float32Array

const scale = (sound: Float32Array, gain: number): void => {
  for (let place = 0; place < sound.length; place += 1) sound[place] = (sound[place] ?? 0) * gain
}

/** Integrated loudness in LUFS of all pieces with their pauses, after a gain and the limiter. */
function measure(pieces: readonly Piece[], rate: number, toSound: ToSound, gain: number): number {
  const meter = makeLoudnessMeter(rate)
  for (const { pcm, pauseSeconds } of pieces) {
    const sound = toSound(pcm)
    scale(sound, gain)
    if (gain !== 1) limit(sound, rate, ceilingDb)
    meter.add(sound)
    meter.addSilence(Math.round(pauseSeconds * rate))
  }
  return meter.integrated()
}

const fromDb = (db: number): number => 10 ** (Math.min(maxGainDb, db) / 20)

/** The gain factor that reaches the target loudness. A second measurement adds what the limiter takes away. */
function findGain(pieces: readonly Piece[], rate: number, toSound: ToSound): number {
  const target = targetLufs + encoderLossDb
  const plain = measure(pieces, rate, toSound, 1)
  if (!Number.isFinite(plain)) return fromDb(usualGainDb)
  const limited = measure(pieces, rate, toSound, fromDb(target - plain))
  return fromDb(target - plain + Math.max(0, target - limited))
}

/**
 * Samples of silence to add at the end, so that the length in rounded seconds is the same for a player that ignores the
 * Info frame and also plays the encoder's own silence (less than 0.1 s).
 */
const tailToRound = (samples: number, rate: number): number => {
  const rest = samples % rate
  return rest >= 0.4 * rate && rest < 0.5 * rate ? Math.ceil(0.5 * rate) - rest : 0
}

/**
 * Makes one MP3 from pieces of speech: equalised, brought to the target loudness, limited, resampled and encoded. It
 * works piece by piece, so that memory holds little more than the pieces and the file. Equal pieces give equal bytes.
 */
export async function master({ pieces, rate, timbre, format, tag, chapters }: MasterInput): Promise<Master> {
  const filters = equalisers[timbre].map((band) => toBiquad(band, rate))
  const toSound = (pcm: Int16Array): Float32Array => {
    const sound = new Float32Array(pcm)
    for (let place = 0; place < sound.length; place += 1) sound[place] = (sound[place] ?? 0) / 32_768
    for (const biquad of filters) filter(sound, biquad)
    return sound
  }
  const gain = findGain(pieces, rate, toSound)
  const resample = makeResampler(rate, format.sampleRate)
  const encoder = await openMp3Encoder(format)
  encoder.addSilence(Math.round(leadInSeconds * format.sampleRate))
  const marks = pieces.map(({ pcm, pauseSeconds }) => {
    const sound = resample(toSound(pcm))
    scale(sound, gain)
    limit(sound, format.sampleRate, ceilingDb)
    const start = encoder.count()
    encoder.add(sound)
    const end = encoder.count()
    encoder.addSilence(Math.round(pauseSeconds * format.sampleRate))
    return { start, end }
  })
  encoder.addSilence(tailToRound(encoder.count(), format.sampleRate))
  const samples = encoder.count()
  const audio = encoder.end()
  const toMs = (place: number) => Math.round((place * 1000) / format.sampleRate)
  const starts = chapters.map(({ piece }, index) => (index === 0 ? 0 : toMs(marks[piece]?.start ?? 0)))
  const timed = chapters.map(({ title }, index) => ({
    title,
    startMs: starts[index] ?? 0,
    endMs: starts[index + 1] ?? toMs(samples),
  }))
  const id3 = makeId3Tag({ ...tag, chapters: timed })
  const mp3 = new Uint8Array(Buffer.concat([id3, makeInfoFrame(audio, samples), audio]))
  return { mp3, samples, marks, chapters: timed }
}
