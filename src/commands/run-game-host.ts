import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { smallMemory } from '../core/small-memory.ts'
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
  const env = { ...toGameHostEnvironment(config, given), ...smallMemory }
  const program = join(buildFiles(buildFolder).programs, 'game-host.mjs')
  let isStopping = false
  let waitMs = firstWaitMs
  let child: ChildProcess
  let gone: Promise<void>
  let timer: NodeJS.Timeout | undefined

  const launch = (): Promise<void> => {
    const started = spawn(process.execPath, [program, buildFolder], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const release = started.pid === undefined ? undefined : stopWithParent(started.pid)
    let lastWords = ''
    child = started
    gone = new Promise((resolve) => {
      for (const end of ['exit', 'error']) started.once(end, () => resolve())
    })
    return new Promise((resolve, reject) => {
      started.stdout.on('data', (chunk: Buffer) => {
        const text = chunk.toString()
        if (!/^listening \d+\n/m.test(text)) process.stdout.write(text)
        else {
          process.stdout.write(text.replace(/^listening \d+\n/m, ''))
          waitMs = firstWaitMs
          resolve()
        }
      })
      started.stderr.on('data', (chunk: Buffer) => {
        lastWords = (lastWords + chunk.toString()).slice(-4000)
      })
      started.on('error', reject)
      started.on('exit', (code, signal) => {
        release?.()
        const reason = lastWords.trim() || `it ended with ${code ?? signal}`
        // When it is being stopped, the whole program ends and nobody waits for `ready`.
        if (isStopping) return
        reject(new Error(`the game host does not start: ${reason}`))
        again(reason)
      })
    })
  }

  /** Restarts are set up only after the first start, whose failure is reported by `ready`. */
  let again = (_reason: string): void => {}
  const ready = launch().then(() => {
    again = (reason) => {
      say(`the game host ended (${reason}); starting it again in ${waitMs / 1000} s`)
      timer = setTimeout(() => {
        // The `exit` handler of the new process reports why it ended and schedules the next attempt.
        launch().catch(() => undefined)
      }, waitMs)
      waitMs = Math.min(waitMs * 2, longestWaitMs)
    }
  })

  return {
    /**
     * Resolves when the game host accepts players; rejects with its own message when it does not start the first time.
     */
    ready,
    /** Asks it to notify its players and to end; `ended` waits for that. */
    stop(): void {
      isStopping = true
      clearTimeout(timer)
      child.kill('SIGTERM')
    },
    async ended(): Promise<void> {
      if (child.exitCode === null && child.signalCode === null) await gone
    },
  }
}
