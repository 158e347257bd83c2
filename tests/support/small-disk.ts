import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A data folder that can run out of space. */
export interface SmallDisk {
  readonly folder: string
  /** Limits this process to `leaveBytes` more written bytes. */
  fill: (pid: number, leaveBytes?: number) => void
  /** Ends the limit. */
  free: (pid: number) => void
  remove: () => void
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'farthing-disk-'))
const run = (program: string, args: readonly string[]) => execFileSync(program, args, { stdio: 'pipe' })

/** Mounts a file system in memory; needs root privileges. */
export function mountMemory(options: string): { folder: string; remove: () => void } {
  const folder = newFolder()
  run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  return {
    folder,
    remove() {
      // Lazily, because a killed process may still be exiting.
      run('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

/** A real file system of a few megabytes. */
function mountSmallDisk(): SmallDisk {
  const { folder, remove } = mountMemory('size=16m')
  const filler = join(folder, 'filler')
  return {
    folder,
    remove,
    fill(_, leaveBytes = 0) {
      const file = openSync(filler, 'w')
      try {
        for (;;) {
          const { bavail, bsize } = statfsSync(folder)
          const tooMuch = bavail * bsize - leaveBytes
          if (tooMuch <= 0 || writeSync(file, Buffer.alloc(Math.min(tooMuch, 1_000_000))) === 0) return
        }
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler, { force: true }),
  }
}

/** Where nothing can be mounted: a limit on the size of files that a process writes (setrlimit(2), RLIMIT_FSIZE). */
function limitFiles(): SmallDisk {
  const folder = newFolder()
  const limit = (pid: number, bytes: string) => run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
  return {
    folder,
    fill: (pid, leaveBytes = 0) => void limit(pid, String(leaveBytes)),
    free: (pid) => void limit(pid, 'unlimited'),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function works(attempt: () => void): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}

/** Whether the tests may mount file systems on this machine. */
export const canMount = works(() => mountMemory('size=64k').remove())
const canLimit = works(() => run('prlimit', ['--pid', String(process.pid), '--fsize']))

/** The ways to run out of space on this machine; macOS without root has none. */
export const smallDisks: readonly (readonly [name: string, make: () => SmallDisk])[] = [
  ...(canMount ? [['a file system of 16 MiB', mountSmallDisk] as const] : []),
  ...(canLimit ? [['a limit on what the process writes', limitFiles] as const] : []),
]
