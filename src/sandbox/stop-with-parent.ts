import { spawn } from 'node:child_process'

/**
 * Ends a process (SIGTERM) as soon as this one is gone, however it went: after `kill -9` no handler of ours runs, and
 * an orphan would keep its port and its files. A shell waits on a pipe that only we hold open; the system closes it.
 *
 * @returns calls the guard off; due once the process has ended by itself, before its id can be somebody else's
 */
export function stopWithParent(pid: number): () => void {
  if (process.platform === 'win32') return () => {}
  const guard = spawn('/bin/sh', ['-c', 'read -r _; kill -TERM "$0"', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // It needs nothing of ours, and lives as long as we do.
    env: {},
    detached: true,
  })
  guard.on('error', () => {})
  guard.unref()
  return () => {
    guard.kill('SIGKILL')
  }
}
