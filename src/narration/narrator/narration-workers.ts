import { openWorkers, type WorkerOptions } from '../../workers/open-workers.ts'
import type { Master, MasterInput } from '../audio/master.ts'
import type { SpeakTask } from './narration-worker.ts'

const workerModule = new URL('narration-worker.ts', import.meta.url).href

/** Processes that speak and make files, so that only messages pass over the event loop. */
export interface NarrationWorkers {
  readonly threads: number
  /** Speaks one sentence with the embedded engine. */
  speak(task: SpeakTask, signal: AbortSignal | undefined): Promise<Int16Array>
  /** Makes one file from all pieces. */
  finish(input: MasterInput, signal: AbortSignal | undefined): Promise<Master>
  close(): Promise<void>
}

/** Opens the workers; none is started before there is work. */
export function openNarrationWorkers(options: WorkerOptions): NarrationWorkers {
  const workers = openWorkers(workerModule, options)
  return {
    threads: options.threads,
    speak: (task, signal) => workers.run('speak', task, { signal, isShort: true }),
    finish: (input, signal) => workers.run('finish', input, { signal }),
    close: workers.close,
  }
}
