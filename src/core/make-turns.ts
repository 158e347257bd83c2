/** Lets what must not run side by side run one after the other, in the order in which it came, within this process. */
export function makeTurns() {
  const rows = new Map<string, Promise<unknown>>()
  return {
    /** Runs the work when everything of before under the same name is over, however it ended. */
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
