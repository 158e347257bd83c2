import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Bench } from './row.ts'
import type { Server } from './server.ts'

const listening = z.object({ port: z.int() })

/**
 * Starts one of the servers in `peers/` on a free port of the loopback. It gets `options` as its first message,
 * answers with its port, and ends when this process does.
 */
export async function startPeer({ started }: Bench, program: URL, options: object): Promise<Server> {
  const child = fork(fileURLToPath(program), { env: { ...process.env, NODE_ENV: 'production' } })
  const gone = once(child, 'exit')
  started.defer(async () => {
    child.kill()
    await gone
  })
  child.send(options)
  const [answer]: unknown[] = await Promise.race([once(child, 'message'), gone])
  const { port } = listening.parse(answer)
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid }
}
