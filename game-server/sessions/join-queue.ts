import { setImmediate } from 'node:timers/promises'

/**
 * Lets joins through one by one, each in its own turn of the event loop: with a database that answers synchronously a
 * crowd of joins would otherwise delay the answers to everybody who plays.
 */
export function makeJoinQueue(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(() => setImmediate())
    return last
  }
}
