import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeResampler } from './resampler.ts'

/** Samples on each side of a block that the resampler gets, too: more than it reads at any pair of rates in use. */
const contextSamples = 128

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))
const toSample = (value: number): number => Math.max(-32_768, Math.min(32_767, Math.round(value)))

/** Resamples sound one second at a time, so that the event loop can answer requests in between. */
export async function toRate(pcm: Int16Array, from: number, to: number): Promise<Int16Array> {
  if (from === to) return pcm
  const resample = makeResampler(from, to)
  // Blocks consist of whole units, so they begin at a whole sample of both rates.
  const divisor = commonDivisor(from, to)
  const [unitIn, unitOut] = [from / divisor, to / divisor]
  const context = Math.ceil(contextSamples / unitIn)
  const block = Math.ceil(from / unitIn)
  const result = new Int16Array(Math.floor((pcm.length * unitOut) / unitIn))
  for (let unit = 0; unit * unitIn < pcm.length; unit += block) {
    const first = Math.max(0, unit - context)
    const sound = resample(Float32Array.from(pcm.subarray(first * unitIn, (unit + block + context) * unitIn)))
    const skip = (unit - first) * unitOut
    const start = unit * unitOut
    const count = Math.min(block * unitOut, result.length - start)
    for (let place = 0; place < count; place += 1) result[start + place] = toSample(sound[skip + place] ?? 0)
    await nextTurn()
  }
  return result
}
