import { type ChildProcess, spawn } from 'node:child_process'

/** The surroundings of a program. */
export interface RunOptions {
  cwd: string
  /** The whole environment, so that no key of the developer's own is used. */
  env: Record<string, string>
  input?: string
  /** Called with the process, for tests that end it. */
  onStart?: (child: ChildProcess) => void
}

/** The shared compile cache of our programs, which halves the time of a short one. */
export const compiled = (command = process.execPath): Record<string, string> => {
  const folder = process.env['NODE_COMPILE_CACHE']
  return command === process.execPath && folder !== undefined ? { NODE_COMPILE_CACHE: folder } : {}
}

/** Runs a program while the servers of the test keep responding, and waits for its end. */
export function runProgram(command: string, args: readonly string[], { cwd, env, input = '', onStart }: RunOptions) {
  return new Promise<{ status: number | null; stdout: Buffer; stderr: string }>((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...compiled(command), ...env }, stdio: 'pipe' })
    const out: Buffer[] = []
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, stdout: Buffer.concat(out), stderr }))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    onStart?.(child)
  })
}
