/**
 * Runs `work` again and again, `everyMs` after the end of the run before, so never twice at once. `stop` waits for a
 * run that is under way. Errors are reported, and do not end the repetition.
 */
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
