import { getPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'

/** The process that works. */
export const pid = (): number => process.pid

export const priority = (): number => getPriority(0)

export const double = (samples: Int16Array): Int16Array => samples.map((sample) => sample * 2)

export const fail = (): never => {
  throw new RangeError('too long to be read')
}

/** Compresses some words so many times, which takes 256 KB each time. Returns how many new pages of memory it took. */
export function compress(times: number): number {
  const { minorPageFault } = process.resourceUsage()
  for (let time = 0; time < times; time++) deflateSync('some words')
  return process.resourceUsage().minorPageFault - minorPageFault
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
