import { getPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

/** The process that works. */
export const pid = (): number => process.pid

export const priority = (): number => getPriority(0)

export const double = (samples: Int16Array): Int16Array => samples.map((sample) => sample * 2)

export const fail = (): never => {
  throw new RangeError('too long to be read')
}

/** Dies as the kernel kills a process that uses too much memory. */
export function beKilled(): void {
  process.kill(process.pid, 'SIGKILL')
}

export const environment = (): NodeJS.ProcessEnv => process.env

export async function sleep(ms: number): Promise<number> {
  await wait(ms)
  return process.pid
}

export const inSteps = (steps: number, tell: (what: string) => void): string => {
  for (let step = 1; step <= steps; step++) tell(`step ${step}`)
  return 'done'
}
