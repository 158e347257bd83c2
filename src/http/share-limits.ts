import { type LimitName, makeRateLimits, type Use, usualLimits } from './rate-limits.ts'
import type { BucketLimits } from './token-bucket.ts'

/** A use with the parameters of its limit, which the shared store needs to add it up. */
export interface CountedUse extends Use {
  /** How much of the limit becomes free again per second. */
  readonly perSecond: number
  /** The largest total that a client is held to. */
  readonly most: number
}

/** The shared store of uses, in which several programs count together. */
export interface SharedUses {
  /**
   * Adds uses, at most one for each client and limit.
   *
   * @returns for each the total of all programs, less what has become free again since
   */
  readonly add: (uses: readonly CountedUse[]) => Promise<readonly number[]>
  readonly find: (client: string, name: LimitName) => Promise<number>
}

interface Options {
  readonly exemptsLoopback: boolean
  readonly now: () => number
  readonly uses: SharedUses
  readonly limits?: Readonly<Record<LimitName, BucketLimits>>
  /** Called once whenever the store becomes unreachable. */
  readonly report: (error: unknown) => void
}

/** The interval at which uses are sent to the store, all in one call. */
const tellEveryMs = 250
/** Uses are sent only from 1/20 of a limit on, because occasional readers need no shared counting. */
const toldPart = 20
/** The largest number of uses that are not sent yet; beyond it the oldest are dropped. */
const mostUntold = 20_000
/** The limit whose uses are sent at once, because failed payments cost money. */
const urgent: LimitName = 'failed-payments'

const keyOf = ({ client, name }: Pick<Use, 'client' | 'name'>): string => `${name} ${client}`

/**
 * Rate limits that several programs share. Each program decides from its own memory, sends its uses to a shared store,
 * and learns from the reply what the same clients used elsewhere. While the store cannot be reached, it continues
 * alone. Until the reply arrives, each program may allow a full limit by itself; the excess is paid off afterwards.
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

  /**
   * Failed payments are capped as in each single program. Other limits may go far into debt, so that everything which
   * several programs allowed at once is paid off.
   */
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
    // After an error the uses may have been stored or not. They are not sent again; this program still counts them.
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
    /** Fetches the failed payments that other programs counted for an address. */
    async hear(address: string): Promise<void> {
      const client = limits.clientOf(address)
      if (client === undefined) return
      await unlessAlone(async () => learn({ client, name: urgent }, await uses.find(client, urgent)))
    },
    /** Sends the remaining uses before the connection to the store closes. */
    close: tellNow,
  }
}
