import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/config.ts'
import { stopWithParent } from '../sandbox/stop-with-parent.ts'

const program = fileURLToPath(new URL('../commands/build.ts', import.meta.url))
const lowestPriority = 19
const keptText = 4000

/**
 * Runs `npm run build` for this installation in a process of its own, at the lowest priority.
 *
 * @param args arguments of the command
 * @throws Error with the end of its output when it fails or is stopped
 */
export async function runBuildCommand(
  signal: AbortSignal,
  niceness: Config['niceness'],
  args: readonly string[] = [],
): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { signal, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const release = child.pid === undefined ? undefined : stopWithParent(child.pid)
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-keptText)
  })
  try {
    // Processes that it starts inherit the priority.
    if (child.pid !== undefined) setPriority(child.pid, niceness(lowestPriority))
    const code = await ended
    if (code !== 0) throw new Error(`the site was not built: ${said.trim() || `it ended with ${code}`}`)
  } finally {
    release?.()
  }
}
