import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

export interface Peer {
  readonly origin: string
  readonly pid: number | undefined
  readonly stop: () => Promise<void>
}

const listening = z.object({ port: z.int() })

/**
 * Starts one of the servers in `peers/` in a process of its own, on a free port of the loopback. It gets `options` as
 * its first message, answers with its port, and ends when this process does.
 */
export async function startPeer(program: URL, options: object): Promise<Peer> {
  const child = fork(fileURLToPath(program), { env: { ...process.env, NODE_ENV: 'production' } })
  const gone = once(child, 'exit')
  child.send(options)
  const answer = await Promise.race([once(child, 'message'), gone])
  const { port } = listening.parse(answer[0])
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid,
    async stop() {
      child.kill()
      await gone
    },
  }
}
