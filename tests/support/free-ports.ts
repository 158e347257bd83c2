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
    const base = 10_000 + Math.floor(Math.random() * 10_000)
    const free = await Promise.all([0, 1, 2, 3, 4, 5].map((offset) => isFree(base + offset)))
    if (free.every(Boolean)) return base
  }
}

const workers = 12
const portsOfWorker = 1_000
const firstPort = 20_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % workers) * portsOfWorker
let next = Math.floor(Math.random() * portsOfWorker)

/**
 * A free port that this process has not had before and that the system never assigns. The system may assign one that
 * was closed a moment ago: a site that still tries to reach its own chain or facilitator there would pay on the chain
 * of another test.
 */
export async function findUnusedPort(): Promise<number> {
  for (;;) {
    const port = firstPort + (next++ % portsOfWorker)
    if (await isFree(port)) return port
  }
}
