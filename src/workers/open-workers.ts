import { limitConcurrency } from './limit-concurrency.ts'
import { type OnProgress, startWorker, type Worker, WorkerStopped } from './start-worker.ts'

/** How many worker processes run at a time, and with which priority and limits. */
export interface WorkerOptions {
  readonly threads: number
  /** Nice value of the workers, 0 to 19: the higher it is, the more they yield to other processes. */
  readonly niceness: number
  /** After this time without work (ms) a process ends, which frees its memory. */
  readonly idleMs?: number
  /** Limit of the heap of a worker; the default of Node.js when absent. */
  readonly heapMb?: number
}

interface RunOptions {
  /** Ends the work, by killing its process. */
  readonly signal?: AbortSignal | undefined
  /** Whether the work is too short to kill a process for: then the signal only keeps it from starting. */
  readonly isShort?: boolean
  readonly onProgress?: OnProgress
}

/** Processes for one kind of work, which blocks no event loop here and whose memory is freed when they end. */
export interface Workers {
  run<Task, Made>(name: string, task: Task, options?: RunOptions): Promise<Made>
  close(): Promise<void>
}

const usualIdleMs = 30_000

/**
 * Starts processes when there is work, and ends them when there is none. They end with this process, also if it
 * crashes.
 *
 * @param url of the module whose functions are the work
 */
export function openWorkers(url: string, { threads, niceness, idleMs = usualIdleMs, heapMb }: WorkerOptions): Workers {
  const limited = limitConcurrency(threads)
  const all = new Set<Worker>()
  /** A stack: the worker that worked last is used first, so that surplus ones become idle for long enough to end. */
  const idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = []
  let isClosed = false

  function take(): Worker {
    for (let next = idle.pop(); next; next = idle.pop()) {
      clearTimeout(next.timer)
      if (!next.worker.hasEnded()) return next.worker
    }
    const worker = startWorker(url, niceness, heapMb)
    all.add(worker)
    void worker.ended.then(() => all.delete(worker))
    return worker
  }

  function giveBack(worker: Worker): void {
    if (worker.hasEnded()) return
    const timer = setTimeout(() => {
      const at = idle.findIndex((entry) => entry.worker === worker)
      if (at >= 0) idle.splice(at, 1)
      worker.end()
    }, idleMs)
    timer.unref()
    idle.push({ worker, timer })
  }

  async function work(name: string, task: unknown, options: RunOptions): Promise<unknown> {
    const { signal, isShort = false, onProgress } = options
    signal?.throwIfAborted()
    if (isClosed) throw new Error('nothing is made any more: the workers were closed')
    const worker = take()
    const stop = () => worker.kill()
    if (!isShort) signal?.addEventListener('abort', stop, { once: true })
    try {
      return await worker.run(name, task, onProgress)
    } catch (error) {
      if (!isShort) signal?.throwIfAborted()
      if (!(error instanceof WorkerStopped)) throw error
    } finally {
      signal?.removeEventListener('abort', stop)
      giveBack(worker)
    }
    return work(name, task, options)
  }

  return {
    run: <Task, Made>(name: string, task: Task, options: RunOptions = {}) =>
      // The caller knows the result type of the function that it names.
      limited(() => work(name, task, options)) as Promise<Made>,
    async close() {
      isClosed = true
      for (const { timer } of idle.splice(0)) clearTimeout(timer)
      const ends = Array.from(all, (worker) => worker.ended)
      for (const worker of all) worker.kill()
      await Promise.all(ends)
    },
  }
}
