/** Long enough to average out other work of the machine. */
const defaultMs = 250
const text = JSON.stringify({ numbers: [1, 2, 3], word: 'farthing', nested: { is: true } })

/**
 * The speed of one processor now: how often per ms it parses and serializes a small JSON text. The same machine may be
 * several times faster at another hour.
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
