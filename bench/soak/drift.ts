import { median } from '../median.ts'
import type { MemorySample } from './record.ts'

/** How the memory of a program, in KB, changed over a period. */
export interface Drift {
  readonly program: string
  /** Number of the process; absent for all processes of the program together. */
  readonly life?: number
  readonly minutes: number
  readonly min: number
  readonly median: number
  readonly max: number
  /** Change from the median of the first part to that of the last part, in percent of the first. */
  readonly percent: number
  /** The same for the minimum of each part, which is the memory that remains when there is no work. */
  readonly floorPercent: number
  /** Whether the period is long enough for a verdict. */
  readonly counts: boolean
}

/** Length of the compared parts, if the period is long enough. */
const partSeconds = 15 * 60
/** Shorter periods after the warm-up are only reported. */
const leastSeconds = 20 * 60
/** A larger drift counts as a leak. */
export const mostPercent = 5

export const isTooMuch = ({ percent, counts }: Drift): boolean => counts && percent > mostPercent

/** The drift of each program, and of each of its processes, after the warm-up of each process. */
export function findDrifts(samples: readonly MemorySample[], warmUpSeconds: number): Drift[] {
  const warm = warmOnes(samples, warmUpSeconds)
  return [...groupBy(warm, ({ program }) => program)].flatMap(([program, all]) => {
    const lives = [...groupBy(all, ({ life }) => life)]
    const whole = toDrift(program, undefined, all)
    return lives.length < 2 ? [whole] : [whole, ...lives.map(([life, some]) => toDrift(program, life, some))]
  })
}

function warmOnes(samples: readonly MemorySample[], warmUpSeconds: number): MemorySample[] {
  const bornAt = new Map<string, number>()
  return samples.filter(({ program, life, second }) => {
    const key = `${program} ${life}`
    const born = bornAt.get(key) ?? second
    bornAt.set(key, born)
    return second - born >= warmUpSeconds
  })
}

function groupBy<Key>(samples: readonly MemorySample[], keyOf: (sample: MemorySample) => Key) {
  const groups = new Map<Key, MemorySample[]>()
  for (const sample of samples) {
    const group = groups.get(keyOf(sample))
    if (group) group.push(sample)
    else groups.set(keyOf(sample), [sample])
  }
  return groups
}

function toDrift(program: string, life: number | undefined, samples: readonly MemorySample[]): Drift {
  const from = samples[0]?.second ?? 0
  const to = samples.at(-1)?.second ?? 0
  const part = Math.min(partSeconds, (to - from) / 2)
  const rssOf = (some: readonly MemorySample[]) => some.map(({ rss }) => rss)
  const first = rssOf(samples.filter(({ second }) => second <= from + part))
  const last = rssOf(samples.filter(({ second }) => second >= to - part))
  const rise = (of: (some: readonly number[]) => number): number => (of(last) / of(first) - 1) * 100
  const all = rssOf(samples)
  return {
    program,
    ...(life !== undefined && { life }),
    minutes: (to - from) / 60,
    min: Math.min(...all),
    median: median(all),
    max: Math.max(...all),
    percent: rise(median),
    floorPercent: rise((some) => Math.min(...some)),
    counts: to - from >= leastSeconds,
  }
}
