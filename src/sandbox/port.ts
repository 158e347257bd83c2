import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** One sentence for a port somebody else listens on, with the variable that moves ours. */
export const toPortError = (port: number, { owner, variable }: { owner: string; variable: string }): Error =>
  new Error(`Port ${port} of the ${owner} is taken; stop the program that uses it or set ${variable} to a free port`)

/** A loopback port nobody listens on at this moment; another program may still be faster. */
export async function findFreePort(): Promise<number> {
  const port = await tryPort(0)
  if (port === undefined) throw new Error('This machine has no free port left')
  return port
}

/** Whether a loopback port is free within the wait: a chain whose owner was killed needs a moment to save itself. */
export async function becomesFree(port: number, waitMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + waitMs
  while ((await tryPort(port)) === undefined) {
    if (performance.now() > deadlineMs) return false
    await delay(50)
  }
  return true
}

/** Listens for an instant; undefined when that is not possible. */
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
