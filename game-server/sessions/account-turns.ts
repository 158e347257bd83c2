/** Runs the tasks of each account one after the other, so that two sockets with one token share one life. */
export function makeAccountTurns() {
  const lasts = new Map<string, Promise<unknown>>()
  return <Result>(account: string, act: () => Promise<Result>): Promise<Result> => {
    const before = lasts.get(account) ?? Promise.resolve()
    const turn = before.then(act)
    const settled = turn
      .catch(() => {})
      .then(() => {
        if (lasts.get(account) === settled) lasts.delete(account)
      })
    lasts.set(account, settled)
    return turn
  }
}
