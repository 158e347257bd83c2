/** Queues by name, within this process: work of the same name runs one after the other, in the order of the calls. */
export function makeTurns() {
  const rows = new Map<string, Promise<unknown>>()
  return {
    /** Runs `work` after all earlier work of the same name has ended, even if that failed. */
    async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
      const turn = (rows.get(name) ?? Promise.resolve()).then(work, work)
      rows.set(name, turn)
      try {
        return await turn
      } finally {
        if (rows.get(name) === turn) rows.delete(name)
      }
    },
  }
}
