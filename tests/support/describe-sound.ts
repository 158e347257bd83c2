import { makeLoudnessMeter } from '../../src/narration/audio/loudness.ts'

const frameSeconds = 0.03
/** The range of voice pitches, in hertz. */
const pitch = { low: 60, high: 400 }

/** The similarity of a frame to itself one period later, at the best period: near 1 for a tone, near 0 for noise. */
function periodicity(frame: Float32Array, rate: number): number {
  let best = 0
  for (let lag = Math.floor(rate / pitch.high); lag < rate / pitch.low && lag < frame.length / 2; lag += 1) {
    let [product, first, second] = [0, 0, 0]
    for (let place = 0; place + lag < frame.length; place += 1) {
      const [a = 0, b = 0] = [frame[place], frame[place + lag]]
      product += a * b
      first += a * a
      second += b * b
    }
    best = Math.max(best, product / Math.sqrt(first * second || 1))
  }
  return best
}

/** Figures that tell speech from silence, noise and tones: loudness, the voiced share, and the number of pauses. */
export function describeSound(samples: Float32Array, rate: number) {
  const meter = makeLoudnessMeter(rate)
  meter.add(samples)
  const size = Math.round(rate * frameSeconds)
  let [loud, voiced, pauses, quiet] = [0, 0, 0, 0]
  for (let start = 0; start + size <= samples.length; start += size) {
    const frame = samples.subarray(start, start + size)
    const power = frame.reduce((sum, value) => sum + value * value, 0) / size
    if (power < 1e-4) {
      quiet += 1
      continue
    }
    if (quiet * frameSeconds >= 0.2) pauses += 1
    quiet = 0
    loud += 1
    if (periodicity(frame, rate) > 0.6) voiced += 1
  }
  const frames = Math.floor(samples.length / size)
  return { lufs: meter.integrated(), loudShare: loud / frames, voicedShare: voiced / loud, pauses }
}
