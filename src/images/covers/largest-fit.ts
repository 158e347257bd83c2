const attempts = 7

/**
 * Finds the largest size at which something fits by bisection, in at most seven tries; undefined when it does not fit
 * at the smallest size.
 *
 * @param set sets it at a size; undefined when it does not fit
 */
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

/**
 * Finds the longest beginning that fits by bisection; undefined when none fits.
 *
 * @param set sets the first `count` pieces; undefined when they do not fit
 */
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
