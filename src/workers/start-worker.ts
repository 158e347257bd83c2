import { fork } from 'node:child_process'
import { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { toProgramEnvironment } from '../config/program-environment.ts'
import { smallMemory, smallYoungGeneration } from '../core/small-memory.ts'
import type { WorkerReply, WorkerTask } from './worker-messages.ts'

/** Hears what a piece of work is at, in the words of its module. */
export type OnProgress = (what: string) => void

/** A process that does one piece of work at a time. */
export interface Worker {
  run(name: string, task: unknown, onProgress?: OnProgress): Promise<unknown>
  hasEnded(): boolean
  /** When the process is gone. */
  readonly ended: Promise<void>
  /** Lets an idle process go. */
  end(): void
  /** Ends it in the middle of its work. */
  kill(): void
}

const program = fileURLToPath(new URL('worker-main.ts', import.meta.url))
const keptWords = 2000
/** What supervisors and terminals send to each process of a group. */
const stopSignals: readonly unknown[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** A process that was told to stop before it could know that it need not: its work is to be done by another. */
export class WorkerStopped extends Error {
  override readonly name = 'WorkerStopped'
}

/**
 * Starts a process that does the work of a module. It is given none of this program's settings, and with them no keys:
 * it decodes what strangers sent.
 */
export function startWorker(url: string, niceness: number, heapMb?: number): Worker {
  const { NODE_OPTIONS: _, ...env } = toProgramEnvironment(process.env)
  const child = fork(program, [url], {
    env: { ...env, ...smallMemory },
    // Its young objects are few beside the buffers that they describe.
    execArgv: [smallYoungGeneration, ...(heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`])],
    // Whole arrays of samples and pixels travel as they are.
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
    // Its last words may come after its end.
    if (!stderr || stderr.closed) finished()
    else stderr.once('close', finished)
  })
  if (niceness > 0 && child.pid !== undefined) standBack(child.pid, niceness)

  /** Who waits for it, for its answer or for its end, does not end before. */
  function keepWaiting(): void {
    child.ref()
    child.channel?.ref()
    if (stderr instanceof Socket) stderr.ref()
  }

  /** Without work it keeps nobody from ending. */
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
          // The process is gone, or is going; its end says more.
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

/** Before it has started any thread: on Linux each takes the priority of the one that starts it. */
function standBack(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // It has ended already, and says so itself; or the system grants no priorities, and then all are equal.
  }
}
