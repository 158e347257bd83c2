import { readdirSync, readFileSync } from 'node:fs'

/**
 * Microseconds of processor time that all threads of a process have used so far (proc(5), `schedstat`); not a number
 * where the system does not tell.
 */
export function cpuMicros(pid: number | undefined): number {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    return nanoseconds.reduce((sum, part) => sum + part, 0) / 1000
  } catch {
    return Number.NaN
  }
}
