/** A second-order filter; coefficients after Robert Bristow-Johnson's Audio EQ Cookbook. */
export type Biquad = { b0: number; b1: number; b2: number; a1: number; a2: number }

/** A filter by its kind, frequency in Hz, Q and gain in dB. */
export type Band = { type: 'highPass' | 'peak' | 'highShelf'; hertz: number; q: number; gainDb: number }

const normalised = (b0: number, b1: number, b2: number, a0: number, a1: number, a2: number): Biquad => ({
  b0: b0 / a0,
  b1: b1 / a0,
  b2: b2 / a0,
  a1: a1 / a0,
  a2: a2 / a0,
})

/** The filter coefficients of a band at a sample rate (samples per second). */
export function toBiquad({ type, hertz, q, gainDb }: Band, rate: number): Biquad {
  const gain = 10 ** (gainDb / 40)
  const angle = (2 * Math.PI * hertz) / rate
  const cos = Math.cos(angle)
  const alpha = Math.sin(angle) / (2 * q)
  if (type === 'highPass') {
    const b = (1 + cos) / 2
    return normalised(b, -2 * b, b, 1 + alpha, -2 * cos, 1 - alpha)
  }
  if (type === 'peak')
    return normalised(1 + alpha * gain, -2 * cos, 1 - alpha * gain, 1 + alpha / gain, -2 * cos, 1 - alpha / gain)
  const root = 2 * Math.sqrt(gain) * alpha
  const up = gain + 1
  const down = gain - 1
  return normalised(
    gain * (up + down * cos + root),
    -2 * gain * (down + up * cos),
    gain * (up + down * cos - root),
    up - down * cos + root,
    2 * (down - up * cos),
    up - down * cos - root,
  )
}

/** Filters samples in place. The filter starts from silence, because each sentence stands between pauses. */
export function filter(samples: Float32Array, { b0, b1, b2, a1, a2 }: Biquad): void {
  let z1 = 0
  let z2 = 0
  for (let place = 0; place < samples.length; place += 1) {
    const input = samples[place] ?? 0
    const output = b0 * input + z1
    z1 = b1 * input - a1 * output + z2
    z2 = b2 * input - a2 * output
    samples[place] = output
  }
}
