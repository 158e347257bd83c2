import { limitConcurrency } from './limit-concurrency.ts'
import { type OnProgress, startWorker, type Worker, WorkerStopped } from './start-worker.ts'

/** How many work at a time, each in a process of its own, and of which priority. */
export interface WorkerOptions {
  readonly threads: number
  /** 0 to 19: how far the workers stand back behind everything else. */
  readonly niceness: number
  /** After this long without work a process ends, and its memory is the machine's again. */
  readonly idleMs?: number
  /** What one may keep in its heap before it ends; as much as Node.js lets it when absent. */
  readonly heapMb?: number
}

interface RunOptions {
  /** Ends the work, and the process with it. */
  readonly signal?: AbortSignal | undefined
  /** Work so short that it is let finish rather than a new process started: the signal only keeps it from beginning. */
  readonly isShort?: boolean
  readonly onProgress?: OnProgress
}

/** Processes that do one kind of work, so that only messages pass over the event loop, and no memory stays behind. */
export interface Workers {
  run<Task, Made>(name: string, task: Task, options?: RunOptions): Promise<Made>
  close(): Promise<void>
}

const usualIdleMs = 30_000

/**
 * Starts processes when there is work, and ends them when there is none; they end with this one, however it goes.
 *
 * @param url of the module whose functions are the work
 */
export function openWorkers(url: string, { threads, niceness, idleMs = usualIdleMs, heapMb }: WorkerOptions): Workers {
  const limited = limitConcurrency(threads)
  const all = new Set<Worker>()
  /** The one that worked last is asked first, so that the others come to their end. */
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
      // What a module makes is known to whoever names it.
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
