import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** The error for a port that another program listens on; it names the setting that changes ours. */
export const toPortError = (port: number, { owner, variable }: { owner: string; variable: string }): Error =>
  new Error(`Port ${port} of the ${owner} is taken; stop the program that uses it or set ${variable} to a free port`)

/** Finds a free loopback port. Another program may still take it before it is used. */
export async function findFreePort(): Promise<number> {
  const port = await tryPort(0)
  if (port === undefined) throw new Error('This machine has no free port left')
  return port
}

/**
 * Whether a loopback port becomes free within `waitMs`: a chain whose owner was killed needs a moment to save its
 * state.
 */
export async function becomesFree(port: number, waitMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + waitMs
  while ((await tryPort(port)) === undefined) {
    if (performance.now() > deadlineMs) return false
    await delay(50)
  }
  return true
}

/** Listens briefly and returns the port; undefined when that is not possible. */
async function tryPort(port: number): Promise<number | undefined> {
  const probe = createServer()
  try {
    probe.listen(port, '127.0.0.1')
    await once(probe, 'listening')
  } catch {
    return undefined
  }
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : undefined
}
