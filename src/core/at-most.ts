/**
 * Lets no more than `count` of what it is given run at once; the others wait, in the order in which they came.
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
      // The next one takes the place over.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
