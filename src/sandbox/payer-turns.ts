import { setTimeout as delay } from 'node:timers/promises'

const hourMs = 60 * 60 * 1000
/** After that many of one payer within an hour, it is refused before anything is sent. */
const maxReverts = 3
/** The same for all contract wallets together, which cost nothing to multiply. */
const maxWalletReverts = 30
/** Settlements of one plain account that may wait for the chain at the same time. */
const maxInFlight = 16
const lookMs = 100

interface Flight {
  readonly nonce: string
  readonly value: bigint
  /** The token; USDC when absent. */
  readonly asset?: string | undefined
}

/** What is to be settled. Addresses and nonces are compared without regard to case. */
export interface Settlement extends Flight {
  readonly payer: string
  /** Whether a contract is to be deployed at this address: a contract wallet as much as one that is there. */
  readonly isUndeployed?: boolean
}

interface TurnOptions {
  /** Whether a contract answers for this address, which may say another thing each time it is asked. */
  readonly hasCode: (payer: string) => Promise<boolean>
  readonly balanceOf: (payer: string, asset: string | undefined) => Promise<bigint>
  /** How long a settlement waits for those of the same payer before it. */
  readonly waitMs: number
  readonly now: () => number
  /** Makes the error that names the reason to the payer. */
  readonly refuse: (reason: string) => Error
}

/**
 * Who may cost gas, and how much at once. A contract wallet has one settlement in flight; a plain account as many as
 * its balance pays for, because without code only an empty wallet makes its transfers fail. One authorization is never
 * in flight twice: the second could only revert.
 */
export function makePayerTurns({ hasCode, balanceOf, waitMs, now, refuse }: TurnOptions) {
  const flights = new Map<string, Set<Flight>>()
  /** The last in the row of each payer: only the first of a row looks whether it may go, and the others keep their order. */
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
    // From here on nothing is waited for: two that look at the same time must not both find the last place.
    const others = othersOf()
    const inSame = others.filter(({ asset }) => asset === flight.asset)
    const needed = inSame.reduce((sum, other) => sum + other.value, flight.value)
    return others.length === 0 || !(isTaken() || isUndeployed || isWallet || balance < needed)
      ? enter(payer, flight)
      : undefined
  }

  return {
    /** Whether so many settlements of this payer reverted within the hour that no more are tried. */
    isBarred,
    /** Notes a settlement that was mined, cost gas and moved nothing. */
    async reverted({ payer, isUndeployed = false }: Pick<Settlement, 'payer' | 'isUndeployed'>): Promise<void> {
      const isWallet = isUndeployed || (await hasCode(payer).catch(() => true))
      reverts = [...recent(), { payer: payer.toLowerCase(), at: now(), isWallet }]
    },
    /**
     * Waits for a turn.
     *
     * @returns ends the turn; due when the transaction is mined or given up
     * @throws the refusal when others of the payer are still under way after the wait
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
