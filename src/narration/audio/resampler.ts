/** Half the length of the filter, in input samples; images stay below -100 dB. */
const halfTaps = 24
/** The pass band, as a part of the lower Nyquist frequency. */
const passBand = 0.945
const kaiserBeta = 8

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))

/** Modified Bessel function of order zero, which the Kaiser window is made of. */
function bessel(value: number): number {
  let sum = 1
  let term = 1
  for (let step = 1; step < 20; step += 1) {
    term *= (value / 2 / step) ** 2
    sum += term
  }
  return sum
}

function makePhase(phase: number, taps: number, cutoff: number): Float32Array {
  const weights = Array.from({ length: taps }, (_, tap) => {
    const time = tap - taps / 2 + 1 - phase
    const inWindow = time / (taps / 2)
    const window = Math.abs(inWindow) < 1 ? bessel(kaiserBeta * Math.sqrt(1 - inWindow ** 2)) / bessel(kaiserBeta) : 0
    return window * (time === 0 ? cutoff : Math.sin(Math.PI * cutoff * time) / (Math.PI * time))
  })
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return Float32Array.from(weights, (weight) => weight / sum)
}

/** Makes a resampler between two sample rates: a polyphase windowed sinc. Samples outside of the input are silence. */
export function makeResampler(from: number, to: number): (samples: Float32Array) => Float32Array {
  const divisor = commonDivisor(from, to)
  const up = to / divisor
  const down = from / divisor
  const cutoff = Math.min(1, to / from) * passBand
  const taps = Math.ceil(halfTaps * Math.max(1, from / to)) * 2
  const phases = Array.from({ length: up }, (_, phase) => makePhase(phase / up, taps, cutoff))
  const margin = taps / 2

  return (samples) => {
    const padded = new Float32Array(samples.length + taps)
    padded.set(samples, margin)
    const result = new Float32Array(Math.floor((samples.length * up) / down))
    let phase = 0
    let start = 1
    for (let place = 0; place < result.length; place += 1) {
      const weights = phases[phase] ?? new Float32Array(taps)
      let sum = 0
      for (let tap = 0; tap < taps; tap += 1) sum += (weights[tap] ?? 0) * (padded[start + tap] ?? 0)
      result[place] = sum
      phase += down
      start += Math.floor(phase / up)
      phase %= up
    }
    return result
  }
}
