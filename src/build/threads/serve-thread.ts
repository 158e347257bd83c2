import { parentPort } from 'node:worker_threads'
import type { ThreadReply, ThreadTask } from './open-threads.ts'

/** Does the work that `openThreads` sends to this thread, one piece after another. */
export function serveThread<Task, Made>(work: (task: Task) => Made | Promise<Made>): void {
  const reply = (message: ThreadReply<Made>) => parentPort?.postMessage(message)
  const answer = async ({ id, task }: ThreadTask<Task>): Promise<void> => {
    try {
      reply({ id, made: await work(task) })
    } catch (error) {
      reply({ id, error })
    }
  }
  let last: Promise<void> = Promise.resolve()
  parentPort?.on('message', (message: ThreadTask<Task>) => {
    last = last.then(() => answer(message))
  })
}
