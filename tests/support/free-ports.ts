import { once } from 'node:events'
import { createServer } from 'node:net'

/** Whether nothing listens on this port at the moment. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  // `once` throws what the server reports: the port is taken.
  const opened = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  await new Promise((resolve) => server.close(resolve))
  return opened
}

/** The first of six free ports in a row, below the range from which the system assigns ports. */
export async function findFreePorts(): Promise<number> {
  for (;;) {
    const base = 10_000 + Math.floor(Math.random() * 20_000)
    const free = await Promise.all([0, 1, 2, 3, 4, 5].map((offset) => isFree(base + offset)))
    if (free.every(Boolean)) return base
  }
}
