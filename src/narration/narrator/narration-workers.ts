import { fileURLToPath } from 'node:url'
import { openWorkers, type WorkerOptions } from '../../workers/open-workers.ts'
import type { Master, MasterInput } from '../audio/master.ts'
import type { SpeakTask } from './narration-worker.ts'

const workerFile = fileURLToPath(new URL('narration-worker.ts', import.meta.url))

/** Threads that speak and make files, so that only messages pass over the event loop. */
export interface NarrationWorkers {
  readonly threads: number
  /** What the embedded engine says. */
  speak(task: SpeakTask, signal: AbortSignal | undefined): Promise<Int16Array>
  /** One file of all pieces, whose buffers it takes. */
  finish(input: MasterInput, signal: AbortSignal | undefined): Promise<Master>
  close(): Promise<void>
}

/** Opens them; none runs before there is work. */
export function openNarrationWorkers(options: WorkerOptions): NarrationWorkers {
  const workers = openWorkers(workerFile, options)
  return {
    threads: options.threads,
    speak: (task, signal) => workers.run('speak', task, { signal, isShort: true }),
    async finish(input, signal) {
      const transferList = input.pieces.map(({ pcm }) => pcm.buffer).filter((buffer) => buffer instanceof ArrayBuffer)
      try {
        return await workers.run('finish', input, { transferList, signal })
      } catch (error) {
        signal?.throwIfAborted()
        throw error
      }
    },
    close: workers.close,
  }
}
