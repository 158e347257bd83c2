import { readdirSync, readFileSync } from 'node:fs'

const field = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1024

/** Resident memory of one process in megabytes, files that it shares with others included, as `ps` shows it (Linux). */
export const residentMb = (pid: number | undefined): number =>
  field(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS')

/**
 * Memory in megabytes of processes and all they started, each page that some of them share counted once, which is what
 * a limit of memory counts (Linux).
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
      // It has ended meanwhile, and holds nothing.
    }
  }
  return sum
}
