const absoluteGate = -70
const relativeGate = -10
/** Blocks of 400 ms start every 100 ms. */
const hopsPerBlock = 4

const toLufs = (power: number): number => -0.691 + 10 * Math.log10(power)
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** The two filters of K-weighting, computed for a sample rate from the analogue prototypes behind BS.1770's 48 kHz table. */
function kWeighting(rate: number) {
  const k = Math.tan((Math.PI * 1681.974450955533) / rate)
  const q = 0.7071752369554196
  const high = 10 ** (3.999843853973347 / 20)
  const band = high ** 0.4996667741545416
  const a0 = 1 + k / q + k * k
  const j = Math.tan((Math.PI * 38.13547087602444) / rate)
  const p = 0.5003270373238773
  const c0 = 1 + j / p + j * j
  return {
    shelf: {
      b0: (high + (band * k) / q + k * k) / a0,
      b1: (2 * (k * k - high)) / a0,
      b2: (high - (band * k) / q + k * k) / a0,
      a1: (2 * (k * k - 1)) / a0,
      a2: (1 - k / q + k * k) / a0,
    },
    rumble: { a1: (2 * (j * j - 1)) / c0, a2: (1 - j / p + j * j) / c0 },
  }
}

/** A loudness meter by ITU-R BS.1770-4 for one channel, which counts once, as in `ffmpeg -af ebur128`. */
export function makeLoudnessMeter(rate: number) {
  const { shelf, rumble } = kWeighting(rate)
  const hop = Math.round(rate / 10)
  const hops: number[] = []
  const state = new Float64Array(6)

  /** The loop keeps its state in local variables: floats that change in a closure cost V8 an allocation per sample. */
  const add = (samples: Float32Array) => {
    let [s1 = 0, s2 = 0, r1 = 0, r2 = 0, energy = 0, filled = 0] = state
    for (let place = 0; place < samples.length; place += 1) {
      const input = samples[place] ?? 0
      const shelved = shelf.b0 * input + s1
      s1 = shelf.b1 * input - shelf.a1 * shelved + s2
      s2 = shelf.b2 * input - shelf.a2 * shelved
      const weighted = shelved + r1
      r1 = -2 * shelved - rumble.a1 * weighted + r2
      r2 = shelved - rumble.a2 * weighted
      energy += weighted * weighted
      filled += 1
      if (filled < hop) continue
      hops.push(energy / hop)
      energy = 0
      filled = 0
    }
    state.set([s1, s2, r1, r2, energy, filled])
  }

  return {
    add,
    addSilence: (samples: number) => add(new Float32Array(samples)),
    /** Integrated loudness in LUFS; `-Infinity` when all is silent or shorter than one block. */
    integrated(): number {
      const blocks = hops
        .slice(0, Math.max(0, hops.length - hopsPerBlock + 1))
        .map((_, start) => mean(hops.slice(start, start + hopsPerBlock)))
      const audible = blocks.filter((power) => toLufs(power) > absoluteGate)
      if (audible.length === 0) return -Infinity
      const gate = toLufs(mean(audible)) + relativeGate
      return toLufs(mean(audible.filter((power) => toLufs(power) > gate)))
    },
  }
}
