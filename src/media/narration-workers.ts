import { fileURLToPath } from 'node:url'
import Tinypool from 'tinypool'
import type { Master, MasterInput } from './audio/master.ts'
import type { SpeakTask } from './narration-worker.ts'
import { makeTurns } from './turns.ts'

const workerFile = fileURLToPath(new URL('narration-worker.ts', import.meta.url))
const idleMs = 30_000

/** Threads that speak and make files, so that only messages pass over the event loop. */
export interface NarrationWorkers {
  readonly threads: number
  /** What the embedded engine says. */
  speak(task: SpeakTask, signal: AbortSignal | undefined): Promise<Int16Array>
  /** One file of all pieces, whose buffers it takes. */
  finish(input: MasterInput, signal: AbortSignal | undefined): Promise<Master>
  close(): Promise<void>
}

/** Starts threads when there is work, and ends them when there is none. */
export function openNarrationWorkers({ threads, niceness }: { threads: number; niceness: number }): NarrationWorkers {
  const pool = new Tinypool({
    filename: workerFile,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    workerData: { niceness },
  })
  // Nothing waits inside the pool: it forgets tasks that wait for a worker which an abort has ended.
  const inTurn = makeTurns(threads)
  return {
    threads,
    speak: (task, signal) =>
      inTurn(async () => {
        signal?.throwIfAborted()
        return await pool.run(task, { name: 'speak' })
      }),
    async finish(input, signal) {
      const transferList = input.pieces.map(({ pcm }) => pcm.buffer).filter((buffer) => buffer instanceof ArrayBuffer)
      try {
        return await inTurn(async () => {
          signal?.throwIfAborted()
          return await pool.run(input, { name: 'finish', transferList, ...(signal ? { signal } : {}) })
        })
      } catch (error) {
        signal?.throwIfAborted()
        throw error
      }
    },
    close: () => pool.destroy(),
  }
}
