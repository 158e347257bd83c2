/** Does something again and again, never twice at once, until it is stopped. */
export function repeat(
  everyMs: number,
  work: () => Promise<void>,
  report: (error: unknown) => void,
): { stop(): Promise<void> } {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()
  const later = (): void => {
    if (isStopped) return
    timer = setTimeout(() => {
      working = work().catch(report).then(later)
    }, everyMs)
  }
  later()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await working
    },
  }
}
