import { spawn } from 'node:child_process'

/**
 * Sends SIGTERM to a process as soon as this one is gone, for whatever reason: after `kill -9` no handler of ours runs,
 * and an orphan would keep its port and its files. A shell reads from a pipe that only this process holds open; the
 * system closes it.
 *
 * @returns a function that removes the guard; call it once the process has ended by itself, before its pid can be
 * reused
 */
export function stopWithParent(pid: number): () => void {
  if (process.platform === 'win32') return () => {}
  const guard = spawn('/bin/sh', ['-c', 'read -r _; kill -TERM "$0"', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // It needs no variables, and a process exposes its environment for as long as it lives.
    env: {},
    detached: true,
  })
  guard.on('error', () => {})
  guard.unref()
  return () => {
    guard.kill('SIGKILL')
  }
}
