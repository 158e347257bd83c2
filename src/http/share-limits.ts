import { type LimitName, makeRateLimits, type Use, usualLimits } from './rate-limits.ts'
import type { BucketLimits } from './token-bucket.ts'

/** A use, with what whoever adds it up has to know of the limit. */
export interface CountedUse extends Use {
  /** What time gives back. */
  readonly perSecond: number
  /** More than that nobody is held to. */
  readonly most: number
}

/** Where several programs count together. */
export interface SharedUses {
  /**
   * Adds uses, one of each client and limit.
   *
   * @returns for each what it comes to with those of everybody else, less what time has given back
   */
  readonly add: (uses: readonly CountedUse[]) => Promise<readonly number[]>
  readonly find: (client: string, name: LimitName) => Promise<number>
}

interface Options {
  readonly exemptsLoopback: boolean
  readonly now: () => number
  readonly uses: SharedUses
  readonly limits?: Readonly<Record<LimitName, BucketLimits>>
  /** Told once of each time in which the others cannot be reached. */
  readonly report: (error: unknown) => void
}

/** What is used is told this often, all together, */
const tellEveryMs = 250
/** and only from this part of a limit on: readers who ask now and then are nobody else's business. */
const toldPart = 20
/** Beyond that many little uses, the oldest are never told. */
const mostUntold = 20_000
/** What an address is charged because it cost money is told at once. */
const urgent: LimitName = 'failed-payments'

const keyOf = ({ client, name }: Pick<Use, 'client' | 'name'>): string => `${name} ${client}`

/**
 * Rate limits that hold over several programs. Each goes on deciding from its own memory, tells what was used there, and
 * learns by the answer what the same clients used elsewhere; while the others cannot be reached it goes on alone. Until it
 * has heard, a program may let through what it would alone, and what was too much then is paid off afterwards.
 *
 * @example shareLimits({ exemptsLoopback: true, now: () => performance.now(), uses, report }).limits.take('203.0.113.7', 'free')
 */
export function shareLimits({ exemptsLoopback, now, uses, limits: rates = usualLimits, report }: Options) {
  const untold = new Map<string, Use>()
  const due = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let telling = Promise.resolve()
  let isQueued = false
  let isAlone = false

  const limits = makeRateLimits({
    exemptsLoopback,
    now,
    limits: rates,
    onUse(use) {
      const key = keyOf(use)
      const used = use.used + (untold.get(key)?.used ?? 0)
      if (!untold.delete(key) && untold.size >= mostUntold) forgetOldest()
      untold.set(key, { ...use, used })
      if (use.name !== urgent && used < rates[use.name].burst / toldPart) return
      due.add(key)
      if (use.name === urgent) void tellNow()
      else timer ??= setTimeout(() => void tellNow(), tellEveryMs).unref()
    },
  })

  /** Charges are capped as each program caps them; what was let through by several at once is paid off whole. */
  function toCounted(use: Use): CountedUse {
    const { perSecond, burst } = rates[use.name]
    return { ...use, perSecond, most: burst * (use.name === urgent ? 2 : 100) }
  }

  function forgetOldest(): void {
    const [oldest] = untold.keys()
    if (oldest !== undefined) untold.delete(oldest)
  }

  function tellNow(): Promise<void> {
    if (isQueued) return telling
    isQueued = true
    telling = telling.then(tell)
    return telling
  }

  async function tell(): Promise<void> {
    isQueued = false
    clearTimeout(timer)
    timer = undefined
    const told = [...due].flatMap((key) => untold.get(key) ?? [])
    for (const key of due) untold.delete(key)
    due.clear()
    if (told.length === 0) return
    // What could not be told may have been told; it is not told again, and whoever used it is held to it here.
    await unlessAlone(async () => {
      for (const [at, used] of (await uses.add(told.map(toCounted))).entries()) {
        const use = told[at]
        if (use) learn(use, used)
      }
    })
  }

  const learn = ({ client, name }: Pick<Use, 'client' | 'name'>, used: number): void =>
    limits.learn(client, name, used + (untold.get(keyOf({ client, name }))?.used ?? 0))

  async function unlessAlone(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      isAlone = false
    } catch (error) {
      if (!isAlone) report(error)
      isAlone = true
    }
  }

  return {
    limits,
    /** Learns what an address was charged elsewhere. */
    async hear(address: string): Promise<void> {
      const client = limits.clientOf(address)
      if (client === undefined) return
      await unlessAlone(async () => learn({ client, name: urgent }, await uses.find(client, urgent)))
    },
    /** The last words, before the others cannot be told any more. */
    close: tellNow,
  }
}
