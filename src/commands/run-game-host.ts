import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { toSaidText } from '../core/said-text.ts'
import { gameMemory } from '../core/small-memory.ts'
import { writeOutput } from '../core/write-output.ts'
import { stopWithParent } from '../sandbox/stop-with-parent.ts'
import { buildFiles } from '../storage/build-folder.ts'
import { toGameHostEnvironment } from './game-host-environment.ts'

interface Options {
  readonly config: Config
  readonly buildFolder: string
  /** The environment of this program, of which the game host gets the parts it needs. */
  readonly env: NodeJS.ProcessEnv
  readonly say: (line: string) => void
}

const firstWaitMs = 500
const longestWaitMs = 30_000

/**
 * Starts the game host in a process of its own, so that pages never wait for the game, and restarts it whenever it ends
 * by itself: its worlds are on disk, and players resume. It can be stopped before it is ready.
 */
export function runGameHost({ config, buildFolder, env: given, say }: Options) {
  const env = { ...toGameHostEnvironment(config, given), ...gameMemory }
  const program = join(buildFiles(buildFolder).programs, 'game-host.mjs')
  const stopping = new AbortController()
  let waitMs = firstWaitMs
  let child: ChildProcess | undefined

  /** Runs it once. @returns the reason why it ended. @throws Error when the system starts no process */
  async function run(onListening: () => void): Promise<string> {
    const started: ChildProcess = spawn(process.execPath, [program, buildFolder], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    const exit = once(started, 'exit')
    let lastWords = ''
    // A process that could not be started may have no streams.
    started.stdout?.on('data', (chunk: Buffer) => {
      const text = chunk.toString()
      writeOutput(text.replace(/^listening \d+\n/m, ''))
      if (/^listening \d+\n/m.test(text)) onListening()
    })
    started.stderr?.on('data', (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-4000)
    })
    const release = started.pid === undefined ? undefined : stopWithParent(started.pid)
    const [code, signal] = await exit
    release?.()
    return lastWords.trim() || `it ended with ${code ?? signal}`
  }

  const ready = Promise.withResolvers<void>()
  let isReady = false
  const ended = keepRunning()

  async function keepRunning(): Promise<void> {
    for (;;) {
      const reason = await run(() => {
        isReady = true
        waitMs = firstWaitMs
        ready.resolve()
      }).catch(toSaidText)
      // When it is being stopped, the whole program ends and nobody waits for `ready`.
      if (stopping.signal.aborted) return
      if (!isReady) {
        ready.reject(new Error(`the game host does not start: ${reason}`))
        return
      }
      say(`the game host ended (${reason}); starting it again in ${waitMs / 1000} s`)
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      waitMs = Math.min(waitMs * 2, longestWaitMs)
    }
  }

  return {
    /**
     * Resolves when the game host accepts players; rejects with its own message when it does not start the first time.
     */
    ready: ready.promise,
    /** Asks it to notify its players and to end; `ended` waits for that. */
    stop(): void {
      stopping.abort()
      child?.kill('SIGTERM')
    },
    ended: (): Promise<void> => ended,
  }
}
