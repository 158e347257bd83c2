const attempts = 7

/** What was set at the largest size at which it fits, or nothing; `set` gives nothing when it does not. */
export async function largestFit<Set>(
  smallest: number,
  largest: number,
  set: (size: number) => Promise<Set | undefined>,
): Promise<Set | undefined> {
  const whole = await set(largest)
  if (whole) return whole
  let best = await set(smallest)
  let [low, high] = [smallest, largest]
  for (let attempt = 2; best && attempt < attempts; attempt += 1) {
    const size = (low + high) / 2
    const tried = await set(size)
    best = tried ?? best
    if (tried) low = size
    else high = size
  }
  return best
}

/** What was set of the longest beginning that fits, or nothing; `set` is told how many pieces to take. */
export async function longestFit<Set>(
  most: number,
  set: (count: number) => Promise<Set | undefined>,
): Promise<Set | undefined> {
  let best: Set | undefined
  let [low, high] = [1, most]
  while (low <= high) {
    const count = Math.floor((low + high) / 2)
    const tried = await set(count)
    best = tried ?? best
    if (tried) low = count + 1
    else high = count - 1
  }
  return best
}
