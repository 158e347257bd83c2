/** Counts work that is under way, so that others can wait until none is. */
export function countUses() {
  let count = 0
  let onIdle = (): void => {}

  function begin(): () => void {
    count += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      count -= 1
      if (count === 0) onIdle()
    }
  }

  return {
    /** Counts one more piece of work; call the returned function when it is finished. */
    begin,
    /** The same for the work of a promise. */
    during<Result>(work: Promise<Result>): Promise<Result> {
      return work.finally(begin())
    },
    /** Resolves when no work is under way. Call it once, and only when no more work can begin. */
    idle(): Promise<void> {
      return new Promise((resolve) => {
        onIdle = resolve
        if (count === 0) resolve()
      })
    },
  }
}
