import { type Transferable, Worker } from 'node:worker_threads'

export interface ThreadTask<Task> {
  readonly id: number
  readonly task: Task
}

export type ThreadReply<Made> =
  | { readonly id: number; readonly made: Made }
  | { readonly id: number; readonly error: unknown }

/** Threads that do one kind of work. */
export interface Threads<Task, Made> {
  /**
   * Does a piece of work. Rejects with the error of the work, or when the thread ends before it is done.
   *
   * @param transfer the memory in the task that is handed over and not copied
   */
  run(task: Task, transfer?: Transferable[]): Promise<Made>
}

/**
 * Opens threads for the work of a module that calls `serveThread`, so that rendering pages, which takes one core, does
 * not wait for it. Each starts with its first piece of work, and does not keep the process alive while it has none.
 *
 * @example const packing = openThreads<Uint8Array, PackedForms>(new URL('pack-thread.ts', import.meta.url), 1)
 */
export function openThreads<Task, Made>(module: URL, count: number): Threads<Task, Made> {
  const threads = Array.from({ length: count }, () => openThread<Task, Made>(module))
  return {
    run(task, transfer = []) {
      const [first, ...others] = threads
      if (!first) throw new RangeError('work needs at least one thread')
      return others.reduce((best, thread) => (thread.load() < best.load() ? thread : best), first).run(task, transfer)
    },
  }
}

function openThread<Task, Made>(module: URL) {
  const waiting = new Map<number, PromiseWithResolvers<Made>>()
  let worker: Worker | undefined
  let tasks = 0

  function open(): Worker {
    const started = new Worker(module)
    const end = (error: unknown): void => {
      if (worker !== started) return
      worker = undefined
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    return started
      .on('message', (reply: ThreadReply<Made>) => {
        const work = waiting.get(reply.id)
        waiting.delete(reply.id)
        if (waiting.size === 0) started.unref()
        if ('made' in reply) work?.resolve(reply.made)
        else work?.reject(reply.error)
      })
      .on('error', end)
      .on('exit', (code) => end(new Error(`the thread of ${module.pathname} ended with exit code ${code}`)))
  }

  return {
    load: () => waiting.size,
    run(task: Task, transfer: Transferable[]): Promise<Made> {
      worker ??= open()
      const id = ++tasks
      const work = Promise.withResolvers<Made>()
      waiting.set(id, work)
      worker.ref()
      worker.postMessage({ id, task } satisfies ThreadTask<Task>, transfer)
      return work.promise
    },
  }
}
