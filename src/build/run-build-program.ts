import { spawn } from 'node:child_process'
import { stopWithParent } from '../sandbox/stop-with-parent.ts'
import { openCompiledModules } from './compiled-modules.ts'

/** Long, because a first build of a thousand posts draws a thousand covers. */
const maxMs = 60 * 60 * 1000
const keptLines = 40
/** In twice this, the default, a build of 1,000 posts touches a tenth more memory and is no faster for it. */
const youngGeneration = '--max-semi-space-size=8'

/** How a program ended. `end` is its exit code, the signal that ended it, or the message why it did not start. */
export interface Ended {
  readonly end: number | string | null
  /** The end of its output. */
  readonly tail: string
}

/** Runs a Node.js program in the repository and collects the end of its output instead of printing it. */
export async function runBuildProgram(
  program: readonly string[],
  { root, env }: { readonly root: string; readonly env: NodeJS.ProcessEnv },
): Promise<Ended> {
  const compiled = await openCompiledModules(root)
  const child = spawn(process.execPath, [youngGeneration, ...program], {
    cwd: root,
    env: {
      NODE_COMPILE_CACHE: compiled,
      // The bundler's allocator would ask for pages of 2 MB, and clearing those is half of the system's time in a build.
      MIMALLOC_ALLOW_THP: '0',
      ...env,
      // A test runner's NODE_ENV would make it a development build.
      NODE_ENV: 'production',
      NO_COLOR: '1',
      FORCE_COLOR: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: maxMs,
  })
  const release = child.pid === undefined ? undefined : stopWithParent(child.pid)
  let output = ''
  const collect = (chunk: string) => {
    output = (output + chunk).slice(-64 * 1024)
  }
  // Decoded as a stream, because a character may begin in one chunk and end in the next.
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', collect)
  const end = await new Promise<Ended['end']>((resolve) => {
    child.on('error', ({ message }) => resolve(message))
    child.on('close', (code, signal) => resolve(code ?? signal))
  })
  release?.()
  return { end, tail: output.trimEnd().split('\n').slice(-keptLines).join('\n') }
}
