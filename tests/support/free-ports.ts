import { once } from 'node:events'
import { createServer } from 'node:net'

/** The first of four free ports in a row. */
export async function findFreePorts(): Promise<number> {
  for (;;) {
    const base = 20_000 + Math.floor(Math.random() * 20_000)
    const servers = await Promise.all(
      [0, 1, 2, 3].map(async (offset) => {
        const server = createServer().listen(base + offset, '127.0.0.1')
        const free = await Promise.race([
          once(server, 'listening').then(() => true),
          once(server, 'error').then(() => false),
        ])
        await new Promise((resolve) => server.close(resolve))
        return free
      }),
    )
    if (servers.every(Boolean)) return base
  }
}
