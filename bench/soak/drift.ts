import { median } from '../median.ts'
import type { MemorySample } from './record.ts'

/** What a stretch of time showed of the memory of a program, in KB. */
export interface Drift {
  readonly program: string
  /** Of one process; absent: of the program over all its processes. */
  readonly life?: number
  readonly minutes: number
  readonly min: number
  readonly median: number
  readonly max: number
  /** From the median of the first part to that of the last, in percent of the first. */
  readonly percent: number
  /** The same of the least of each part: what stays when no work is under way. */
  readonly floorPercent: number
  /** Whether it went on for long enough to say something. */
  readonly counts: boolean
}

/** How long the parts are that are compared, when there is time for them. */
const partSeconds = 15 * 60
/** What went on for less than this, after it was warm, is only told. */
const leastSeconds = 20 * 60
/** More than this is a leak until somebody has shown that it is not. */
export const mostPercent = 5

export const isTooMuch = ({ percent, counts }: Drift): boolean => counts && percent > mostPercent

/** How the memory of each program and of each of its processes moved, once a process was warm. */
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
