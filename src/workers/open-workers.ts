import Tinypool from 'tinypool'
import { limitConcurrency } from './limit-concurrency.ts'

/** How many threads, and of which priority. */
export interface WorkerOptions {
  readonly threads: number
  /** 0 to 19: the priority of the workers below everything else (Linux). */
  readonly niceness: number
}

interface RunOptions {
  /** Ends the work, and the thread with it. */
  readonly signal?: AbortSignal | undefined
  /** Work so short that it is let finish rather than a new thread started: the signal only keeps it from beginning. */
  readonly isShort?: boolean
  /** Handed over instead of copied. */
  readonly transferList?: ArrayBuffer[]
}

/** Threads that do one kind of work, so that only messages pass over the event loop. */
export interface Workers {
  run<Task, Made>(name: string, task: Task, options?: RunOptions): Promise<Made>
  close(): Promise<void>
}

const idleMs = 30_000

/** Starts threads of one file when there is work, and ends them when there is none. */
export function openWorkers(filename: string, { threads, niceness }: WorkerOptions): Workers {
  const pool = new Tinypool({
    filename,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    workerData: { niceness },
  })
  // Nothing waits inside the pool: it forgets tasks that wait for a worker which an abort has ended.
  const limited = limitConcurrency(threads)
  return {
    run: (name, task, { signal, transferList, isShort = false } = {}) =>
      limited(async () => {
        signal?.throwIfAborted()
        const end = !isShort && signal ? { signal } : {}
        return await pool.run(task, { name, ...end, ...(transferList && { transferList }) })
      }),
    close: () => pool.destroy(),
  }
}
