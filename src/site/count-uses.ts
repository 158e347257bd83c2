/** Counts what is under way, for who has to wait until nothing is. */
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
    /** Something begins; call what is returned when it is over. */
    begin,
    /** The same for work that a promise stands for. */
    during<Result>(work: Promise<Result>): Promise<Result> {
      return work.finally(begin())
    },
    /** When nothing is under way any more. To be asked once, when nothing more begins. */
    idle(): Promise<void> {
      return new Promise((resolve) => {
        onIdle = resolve
        if (count === 0) resolve()
      })
    },
  }
}
