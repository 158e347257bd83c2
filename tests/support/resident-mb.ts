import { readdirSync, readFileSync } from 'node:fs'

const field = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1024

/** Resident memory of one process in megabytes, including shared files, as `ps` shows it (Linux). */
export const residentMb = (pid: number | undefined): number =>
  field(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS')

/**
 * Memory in megabytes of these processes and their descendants, with shared pages counted once, as a memory limit
 * counts it (Linux).
 */
export function treeMb(roots: readonly (number | undefined)[]): number {
  let sum = 0
  for (const pid of roots) {
    try {
      sum += field(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss')
      for (const thread of readdirSync(`/proc/${pid}/task`)) {
        const children = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim()
        if (children !== '') sum += treeMb(children.split(' ').map(Number))
      }
    } catch {
      // The process has ended meanwhile and uses no memory.
    }
  }
  return sum
}
