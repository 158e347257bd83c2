/**
 * Runs at most `count` of the given functions at once; the others wait and start in the order of their calls.
 *
 * @example const inTurn = atMost(8); await Promise.all(files.map((file) => inTurn(() => readFile(file))))
 */
export function atMost(count: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < count) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The next waiting function takes over this place, so `running` stays the same.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
