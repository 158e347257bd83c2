import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
const root = fileURLToPath(new URL('../../', import.meta.url))

export interface ToolOptions {
  env?: Readonly<Record<string, string>>
  /** Shows the output immediately; otherwise only when the tool fails. */
  live?: boolean
}

/** Runs the script of an installed tool under node_modules; resolves to whether it succeeded. */
export async function runTool(script: string, args: readonly string[], { env, live = false }: ToolOptions = {}) {
  const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', ...env },
  })
  const output: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0) process.stderr.write(Buffer.concat(output))
  return code === 0
}
