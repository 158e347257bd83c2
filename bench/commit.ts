import { spawnSync } from 'node:child_process'

/** The commit that is checked out in a folder, with a plus when files were changed since; `unknown` without git. */
export function readCommit(folder: string): string {
  const git = (...args: readonly string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', '--short', 'HEAD')
  if (status !== 0) return 'unknown'
  // Files that the bench itself writes do not change what it measures.
  const changed = git('status', '--porcelain', '--', '.', ':!docs/performance*', ':!bench/history.json')
  return `${stdout.trim()}${changed.stdout.trim() === '' ? '' : '+'}`
}
