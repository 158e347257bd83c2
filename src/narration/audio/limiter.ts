const lookAheadSeconds = 0.005
const releaseSeconds = 0.06

/** The smallest gain needed in the look-ahead window that starts at each sample (a monotone queue, linear in time). */
function lowestAhead(needed: Float32Array, length: number, ahead: number): Float32Array {
  const lowest = new Float32Array(length)
  const queue = new Int32Array(needed.length)
  let head = 0
  let tail = 0
  for (let place = 0; place < needed.length; place += 1) {
    const gain = needed[place] ?? 1
    while (tail > head && (needed[queue[tail - 1] ?? 0] ?? 1) >= gain) tail -= 1
    queue[tail] = place
    tail += 1
    const start = place - ahead
    if (start < 0) continue
    while ((queue[head] ?? 0) < start) head += 1
    lowest[start] = needed[queue[head] ?? 0] ?? 1
  }
  return lowest
}

/**
 * Keeps samples at or below the ceiling (dBFS), in place: the gain falls before a peak and recovers slowly after it.
 */
export function limit(samples: Float32Array, rate: number, ceilingDb: number): void {
  const ceiling = 10 ** (ceilingDb / 20)
  const ahead = Math.round(lookAheadSeconds * rate)
  const needed = new Float32Array(samples.length + ahead).fill(1)
  let isLoud = false
  for (let place = 0; place < samples.length; place += 1) {
    const peak = Math.abs(samples[place] ?? 0)
    if (peak <= ceiling) continue
    needed[place] = ceiling / peak
    isLoud = true
  }
  if (!isLoud) return
  const lowest = lowestAhead(needed, samples.length, ahead)
  const release = Math.exp(-1 / (rate * releaseSeconds))
  const recent = new Float32Array(ahead).fill(1)
  let sum = ahead
  let gain = 1
  for (let place = 0; place < samples.length; place += 1) {
    gain = Math.min(lowest[place] ?? 1, 1 - (1 - gain) * release)
    sum += gain - (recent[place % ahead] ?? 1)
    recent[place % ahead] = gain
    samples[place] = (samples[place] ?? 0) * Math.min(gain, sum / ahead)
  }
}
