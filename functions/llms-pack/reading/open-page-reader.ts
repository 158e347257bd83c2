import { limitConcurrency } from '../../../src/workers/limit-concurrency.ts'
import { openWorkers } from '../../../src/workers/open-workers.ts'
import type { DocumentTask, ReadDocument } from './document.ts'
import { isPdf } from './is-pdf.ts'

/** Reads documents beside the event loop. */
export interface PageReader {
  readonly read: (task: DocumentTask, signal?: AbortSignal) => Promise<ReadDocument>
  readonly close: () => Promise<void>
}

const workerModule = new URL('page-worker.ts', import.meta.url).href
const threads = 2
/** A worker begins in a tenth of a second, or in some on a machine that has too much to do. */
const mostBeginMs = 10_000

interface Options {
  /** Ten times what the slowest page known to us takes. */
  readonly mostMs?: number
  /** Of a PDF, the loading of what reads it included. */
  readonly mostPdfMs?: number
  /** Of one worker. */
  readonly heapMb?: number
}

/**
 * Opens worker processes that read pages. A page that takes too long, or too much memory, ends its worker and nothing
 * else.
 */
export function openPageReader({ mostMs = 2000, mostPdfMs = 10_000, heapMb = 128 }: Options = {}): PageReader {
  const workers = openWorkers(workerModule, { threads, niceness: 0, heapMb })
  // A worker that has begun for a page is there for it when it is read.
  const limited = limitConcurrency(threads)
  return {
    read: (task, signal) =>
      limited(async () => {
        signal?.throwIfAborted()
        const within = (ms: number) => AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])])
        try {
          await workers.run('begin', undefined, { signal: within(mostBeginMs) })
          return await workers.run<DocumentTask, ReadDocument>('read', task, {
            signal: within(isPdf(task) ? mostPdfMs : mostMs),
          })
        } catch {
          signal?.throwIfAborted()
          return { is: 'unread', reason: 'it could not be read in time' }
        }
      }),
    close: workers.close,
  }
}
