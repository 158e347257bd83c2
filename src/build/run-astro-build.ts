import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { stopWithParent } from '../sandbox/stop-with-parent.ts'

export interface AstroBuild {
  readonly root: string
  readonly outDir: string
  readonly env: NodeJS.ProcessEnv
  /** The folder of a finished build that differs in its posts at most. */
  readonly earlier?: string
}

/** A site that does not build: one sentence, then the end of what Astro said. */
export class BuildError extends Error {
  override readonly name = 'BuildError'
}

/** Where Astro's command lies in an installation. */
const astroProgram = (root: string): string => join(root, 'node_modules/astro/bin/astro.mjs')

/** A first build of a thousand posts draws a thousand covers. */
const maxMs = 60 * 60 * 1000
const keptLines = 40

/**
 * Runs `astro build` into a folder, silently.
 *
 * @throws BuildError with the tail of its output when it fails
 */
export async function runAstroBuild({ root, outDir, env, earlier }: AstroBuild): Promise<void> {
  const child = spawn(process.execPath, [astroProgram(root), 'build', '--outDir', outDir], {
    cwd: root,
    // A test runner's NODE_ENV would make it a development build.
    env: { ...env, EARLIER_BUILD: earlier, NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: maxMs,
  })
  const release = child.pid === undefined ? undefined : stopWithParent(child.pid)
  let output = ''
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-64 * 1024)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const end = await new Promise<number | NodeJS.Signals | Error | null>((resolve) => {
    child.on('error', resolve)
    child.on('close', (code, signal) => resolve(code ?? signal))
  })
  release?.()
  if (end === 0) return
  const reason = end instanceof Error ? end.message : typeof end === 'number' ? `exit code ${end}` : `${end}`
  const tail = output.trimEnd().split('\n').slice(-keptLines).join('\n')
  throw new BuildError(`the site does not build (astro build ended with ${reason}); the end of its output:\n${tail}`)
}
