import { limitConcurrency } from '../../../src/workers/limit-concurrency.ts'
import { openWorkers } from '../../../src/workers/open-workers.ts'
import { type ReadDocument, type SentDocument, unread } from './document.ts'
import { mayBePdf } from './is-pdf.ts'

/** Reads documents in other processes, so that the event loop is not blocked. */
export interface PageReader {
  readonly read: (task: SentDocument, signal?: AbortSignal) => Promise<ReadDocument>
  readonly close: () => Promise<void>
}

const workerModule = new URL('page-worker.ts', import.meta.url).href
const threads = 2
/** Timeout for the start of a worker. It takes 0.1 s, or several seconds on a busy machine. */
const mostBeginMs = 10_000

interface Options {
  /** Called when a page was not read for another reason than its timeout: a failure of a worker or of our own code. */
  readonly report?: (error: unknown) => void
  /** Timeout for one page, in ms: ten times what the slowest known page takes. */
  readonly mostMs?: number
  /** Timeout for one PDF, in ms, including the loading of the PDF library. */
  readonly mostPdfMs?: number
  /** Heap limit of one worker, in MiB. */
  readonly heapMb?: number
}

/** Opens worker processes that read pages. A page that takes too long or too much memory ends only its own worker. */
export function openPageReader({ report, mostMs = 2000, mostPdfMs = 10_000, heapMb = 128 }: Options = {}): PageReader {
  const workers = openWorkers(workerModule, { threads, niceness: 0, heapMb })
  // At most as many pages at once as there are workers, so the worker that was started for a page is free to read it.
  const limited = limitConcurrency(threads)
  return {
    read: (task, signal) =>
      limited(async () => {
        signal?.throwIfAborted()
        const orGone = (timeout: AbortSignal) => AbortSignal.any([timeout, ...(signal ? [signal] : [])])
        let timeout: AbortSignal | undefined
        try {
          await workers.run('begin', undefined, { signal: orGone(AbortSignal.timeout(mostBeginMs)) })
          timeout = AbortSignal.timeout(mayBePdf(task) ? mostPdfMs : mostMs)
          return await workers.run<SentDocument, ReadDocument>('read', task, { signal: orGone(timeout) })
        } catch (error) {
          signal?.throwIfAborted()
          if (timeout?.aborted) return unread('it could not be read in time')
          report?.(new Error('a page that a buyer named was not read', { cause: error }))
          return unread('it could not be read')
        }
      }),
    close: workers.close,
  }
}
