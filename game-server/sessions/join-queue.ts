import { setImmediate } from 'node:timers/promises'

/**
 * Lets one after the other through, each in a turn of the event loop of their own: databases that answer at once would
 * otherwise let a whole crowd in before anybody who plays is answered.
 */
export function makeJoinQueue(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(() => setImmediate())
    return last
  }
}
