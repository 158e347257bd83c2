import { setTimeout as delay } from 'node:timers/promises'

const hourMs = 60 * 60 * 1000
/** After this many reverted settlements within an hour, a payer is refused before anything is sent. */
const maxReverts = 3
/** The same limit for all contract wallets together, because creating more of them costs nothing. */
const maxWalletReverts = 30
/** The number of settlements of one plain account that may be in flight at the same time. */
const maxInFlight = 16
const lookMs = 100

interface Flight {
  readonly nonce: string
  readonly value: bigint
  /** The token; USDC when absent. */
  readonly asset?: string | undefined
}

/** A payment to settle. Addresses and nonces are compared without regard to case. */
export interface Settlement extends Flight {
  readonly payer: string
  /** Whether the payer is a contract that is not deployed yet, which counts as a contract wallet. */
  readonly isUndeployed?: boolean
}

interface TurnOptions {
  /** Whether there is a contract at this address, which may behave differently at each call. */
  readonly hasCode: (payer: string) => Promise<boolean>
  readonly balanceOf: (payer: string, asset: string | undefined) => Promise<bigint>
  /** How long a settlement waits for earlier ones of the same payer, in milliseconds. */
  readonly waitMs: number
  readonly now: () => number
  /** Makes the error with the reason for the payer. */
  readonly refuse: (reason: string) => Error
}

/**
 * Limits how much gas one payer can cost. A contract wallet has at most one settlement in flight. A plain account has
 * as many as its balance pays for, because without code its transfers fail only when its balance is too low. One
 * authorization is never in flight twice, because the second would revert.
 */
export function makePayerTurns({ hasCode, balanceOf, waitMs, now, refuse }: TurnOptions) {
  const flights = new Map<string, Set<Flight>>()
  /**
   * The last waiting settlement of each payer: only the first in the queue checks whether it may go, so the order is
   * kept.
   */
  const rows = new Map<string, Promise<unknown>>()
  let left = Promise.withResolvers<void>()
  let reverts: { payer: string; at: number; isWallet: boolean }[] = []

  const recent = () => {
    reverts = reverts.filter(({ at }) => at > now() - hourMs)
    return reverts
  }
  const isBarred = async (payer: string, isUndeployed = false): Promise<boolean> => {
    const known = recent()
    if (known.filter((revert) => revert.payer === payer.toLowerCase()).length >= maxReverts) return true
    return (
      known.filter(({ isWallet }) => isWallet).length >= maxWalletReverts && (isUndeployed || (await hasCode(payer)))
    )
  }
  const enter = (payer: string, flight: Flight): (() => void) => {
    const own = flights.get(payer) ?? new Set<Flight>()
    flights.set(payer, own.add(flight))
    return () => {
      own.delete(flight)
      if (own.size === 0 && flights.get(payer) === own) flights.delete(payer)
      left.resolve()
      left = Promise.withResolvers()
    }
  }
  const tryToEnter = async (
    payer: string,
    flight: Flight,
    isUndeployed: boolean,
  ): Promise<(() => void) | undefined> => {
    const othersOf = () => [...(flights.get(payer) ?? [])]
    const isTaken = () => othersOf().length >= maxInFlight || othersOf().some((other) => other.nonce === flight.nonce)
    if (!flights.has(payer)) return enter(payer, flight)
    if (isTaken()) return undefined
    const [isWallet, balance] = await Promise.all([hasCode(payer), balanceOf(payer, flight.asset)])
    // Synchronous from here on, so that two concurrent checks cannot both take the last place.
    const others = othersOf()
    const inSame = others.filter(({ asset }) => asset === flight.asset)
    const needed = inSame.reduce((sum, other) => sum + other.value, flight.value)
    return others.length === 0 || !(isTaken() || isUndeployed || isWallet || balance < needed)
      ? enter(payer, flight)
      : undefined
  }

  return {
    /** Whether too many settlements of this payer reverted within the last hour to try another. */
    isBarred,
    /** Records a settlement that was mined and cost gas but moved nothing. */
    async reverted({ payer, isUndeployed = false }: Pick<Settlement, 'payer' | 'isUndeployed'>): Promise<void> {
      const isWallet = isUndeployed || (await hasCode(payer).catch(() => true))
      reverts = [...recent(), { payer: payer.toLowerCase(), at: now(), isWallet }]
    },
    /**
     * Waits for a turn.
     *
     * @returns a function that ends the turn; call it when the transaction is mined or given up
     * @throws the error of `refuse` when other settlements of the payer are still in flight after the wait
     */
    async take({ payer, nonce, value, asset, isUndeployed = false }: Settlement): Promise<() => void> {
      const who = payer.toLowerCase()
      const flight = { nonce: nonce.toLowerCase(), value, asset: asset?.toLowerCase() }
      const until = now() + waitMs
      const wait = async () => {
        for (;;) {
          const leave = await tryToEnter(who, flight, isUndeployed)
          if (leave) return leave
          if (now() >= until) throw refuse('settlement_pending')
          await Promise.race([left.promise, delay(lookMs)])
        }
      }
      const turn = (rows.get(who) ?? Promise.resolve()).then(wait)
      const place = turn.then(
        () => undefined,
        () => undefined,
      )
      rows.set(who, place)
      void place.then(() => rows.get(who) === place && rows.delete(who))
      return turn
    },
  }
}

export type PayerTurns = ReturnType<typeof makePayerTurns>
