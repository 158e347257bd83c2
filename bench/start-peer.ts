import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Bench } from './row.ts'
import type { Server } from './server.ts'

const listening = z.object({ port: z.int() })

/**
 * Starts a program of the bench in its own process, which ends with the row or with this process. Questions and answers
 * are messages, one at a time.
 */
export function startProgram({ started }: Bench, program: URL) {
  const child = fork(fileURLToPath(program), { env: { ...process.env, NODE_ENV: 'production' } })
  const gone = once(child, 'exit')
  started.defer(async () => {
    child.kill()
    await gone
  })
  return {
    pid: child.pid,
    async ask(message: object): Promise<unknown> {
      child.send(message)
      const [answer]: unknown[] = await Promise.race([once(child, 'message'), gone])
      return answer
    },
  }
}

/**
 * Starts one of the servers in `peers/` on a free port of the loopback interface. It receives `options` as its first
 * message and answers with its port.
 */
export async function startPeer(bench: Bench, program: URL, options: object): Promise<Server> {
  const { pid, ask } = startProgram(bench, program)
  const { port } = listening.parse(await ask(options))
  return { origin: `http://127.0.0.1:${port}`, pid }
}
