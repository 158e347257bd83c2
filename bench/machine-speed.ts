/** As long as it takes to even out what else the machine does. */
const defaultMs = 250
const text = JSON.stringify({ numbers: [1, 2, 3], word: 'farthing', nested: { is: true } })

/**
 * How fast one processor is at this moment: how often it reads a small JSON text and writes it again, in a millisecond.
 * The same machine may be several times as fast in another hour.
 */
export function measureSpeed(ms = defaultMs): number {
  let times = 0
  const from = performance.now()
  let now = from
  while (now - from < ms) {
    for (let at = 0; at < 200; at++) JSON.stringify(JSON.parse(text))
    times += 200
    now = performance.now()
  }
  return times / (now - from)
}
