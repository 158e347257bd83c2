import { fileURLToPath } from 'node:url'
import Tinypool from 'tinypool'
import { limitConcurrency } from '../../../src/workers/limit-concurrency.ts'
import type { DocumentTask, ReadDocument } from './read-document.ts'

/** Reads documents beside the event loop. */
export interface PageReader {
  readonly read: (task: DocumentTask, signal?: AbortSignal) => Promise<ReadDocument>
  readonly close: () => Promise<void>
}

const workerFile = fileURLToPath(new URL('page-worker.ts', import.meta.url))
const threads = 2
const idleMs = 30_000
/** A worker begins in a tenth of a second, or in some on a machine that has too much to do. */
const mostBeginMs = 10_000

interface Options {
  /** Ten times what the slowest page known to us takes. */
  readonly mostMs?: number
  /** Of one worker. */
  readonly heapMb?: number
}

/**
 * Opens worker threads that read pages. A page that takes too long, or too much memory, ends its worker and nothing
 * else.
 */
export function openPageReader({ mostMs = 2000, heapMb = 128 }: Options = {}): PageReader {
  const pool = new Tinypool({
    filename: workerFile,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  })
  // A worker that dies after its page was given up has nobody left to tell, and must not end the site.
  pool.on('error', () => {})
  // Nothing waits inside the pool: it forgets tasks that wait for a worker which an abort has ended.
  const limited = limitConcurrency(threads)
  return {
    read: (task, signal) =>
      limited(async () => {
        signal?.throwIfAborted()
        const within = (ms: number) => AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])])
        try {
          await pool.run(undefined, { name: 'begin', signal: within(mostBeginMs) })
          return await pool.run(task, { name: 'read', signal: within(mostMs) })
        } catch {
          signal?.throwIfAborted()
          return { is: 'unread', reason: 'it could not be read in time' }
        }
      }),
    close: () => pool.destroy(),
  }
}
