import { fork } from 'node:child_process'
import { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { toProgramEnvironment } from '../config/program-environment.ts'
import { smallYoungGeneration, workerMemory } from '../core/small-memory.ts'
import type { WorkerReply, WorkerTask } from './worker-messages.ts'

/** Called with each step that a piece of work reports. */
export type OnProgress = (what: string) => void

/** A process that does one piece of work at a time. */
export interface Worker {
  run(name: string, task: unknown, onProgress?: OnProgress): Promise<unknown>
  hasEnded(): boolean
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
  /** Ends an idle process. */
  end(): void
  /** Ends it in the middle of its work. */
  kill(): void
}

const program = fileURLToPath(new URL('worker-main.ts', import.meta.url))
const keptWords = 2000
/** The signals that supervisors and terminals send to each process of a group. */
const stopSignals: readonly unknown[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** A process was ended by a stop signal before it had begun to ignore these; another one has to do its work. */
export class WorkerStopped extends Error {
  override readonly name = 'WorkerStopped'
}

/**
 * Starts a process that does the work of a module. It gets none of this program's settings, and thereby no keys,
 * because it decodes input from strangers.
 */
export function startWorker(url: string, niceness: number, heapMb?: number): Worker {
  const { NODE_OPTIONS: _, ...env } = toProgramEnvironment(process.env)
  const child = fork(program, [url], {
    env: { ...env, ...workerMemory },
    // A small young generation is enough: most of its memory is in buffers outside of the heap.
    execArgv: [smallYoungGeneration, ...(heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`])],
    // Typed arrays of samples and pixels are sent without conversion to JSON.
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  let lastWords = ''
  let end: Error | undefined
  let waiting:
    | { resolve: (made: unknown) => void; reject: (error: Error) => void; onProgress: OnProgress | undefined }
    | undefined
  let tellEnded = () => {}
  const ended = new Promise<void>((resolve) => {
    tellEnded = resolve
  })
  const finish = (reason: string, Ended: new (message: string) => Error = Error) => {
    end ??= new Ended(`the process that makes it ended with ${reason}${lastWords && `: ${lastWords.trim()}`}`)
    waiting?.reject(end)
    waiting = undefined
    tellEnded()
  }
  const { stderr } = child
  stderr?.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString()).slice(-keptWords)
  })
  child.on('message', (reply: WorkerReply) => {
    if (reply.is === 'doing') {
      waiting?.onProgress?.(reply.what)
      return
    }
    const asked = waiting
    waiting = undefined
    rest()
    if (reply.is === 'made') asked?.resolve(reply.made)
    else asked?.reject(reply.error)
  })
  child.on('error', ({ message }) => finish(message))
  child.on('exit', (code, signal) => {
    const finished = () => finish(String(signal ?? code), stopSignals.includes(signal) ? WorkerStopped : Error)
    // The rest of its stderr may arrive after its exit.
    if (!stderr || stderr.closed) finished()
    else stderr.once('close', finished)
  })
  if (niceness > 0 && child.pid !== undefined) standBack(child.pid, niceness)

  /** Keeps this process running while something waits for the reply or the end of the worker. */
  function keepWaiting(): void {
    child.ref()
    child.channel?.ref()
    if (stderr instanceof Socket) stderr.ref()
  }

  /** Lets this process end while the worker is idle. */
  function rest(): void {
    child.unref()
    child.channel?.unref()
    if (stderr instanceof Socket) stderr.unref()
  }

  return {
    run: (name, task, onProgress) =>
      new Promise((resolve, reject) => {
        if (end) {
          reject(end)
          return
        }
        waiting = { resolve, reject, onProgress }
        keepWaiting()
        const asked: WorkerTask = { name, task }
        child.send(asked, (error) => {
          // The process has ended or is about to; its `exit` event gives the reason.
          if (error) child.kill('SIGKILL')
        })
      }),
    hasEnded: () => end !== undefined || child.exitCode !== null || child.signalCode !== null || !child.connected,
    ended,
    end() {
      if (child.connected) child.disconnect()
    },
    kill() {
      keepWaiting()
      child.kill('SIGKILL')
    },
  }
}

/** Lowers the priority. Called before the process starts threads: on Linux a thread inherits that of its creator. */
function standBack(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // The process has ended already, which `exit` reports, or the system does not allow it: then priorities stay equal.
  }
}
