import type { Hex, TransactionReceipt } from 'viem'
import { deliverTransaction } from './deliver-transaction.ts'
import type { GasWallet } from './gas-wallet.ts'
import {
  type Call,
  type Ending,
  type Revival,
  reviveTransaction,
  type Sent,
  signVersion,
  toFiller,
} from './revive-transaction.ts'

/** How long a mined transaction is remembered, because a reorganization of the chain may still undo it. */
const rememberedMs = 10 * 60 * 1000
const idleLookMs = 5_000
const sendAttempts = 8

export interface SenderOptions {
  readonly wallet: GasWallet
  readonly pollingIntervalMs: number
  /** The time after which a transaction that is not mined is revived, and again after each further one. */
  readonly reviveAfterMs: number
  readonly now: () => number
  readonly onRevived: (nonce: number, how: Revival) => void
}

/** The state of the queue of transactions. */
export interface Queue {
  readonly waiting: number
  /** Milliseconds since the oldest waiting transaction was sent, or since the last one was mined, if that was later. */
  readonly stalledMs: number
}

/**
 * Sends transactions of one key and watches each until it is mined: nonces are used in order, so one that the network
 * lost would block all later ones.
 *
 *     waiting ──► mined ──► (forgotten)     a reorganisation takes mined back to waiting
 *        └──────► lost                      its nonce was used by something else
 *
 * Nonces come from the chain each time, not from memory: what an earlier process left in the network is passed over,
 * and filled up when it does not move.
 */
export function makeSettlementSender({ wallet, pollingIntervalMs, reviveAfterMs, now, onRevived }: SenderOptions) {
  const { account, client } = wallet
  const waiting = new Map<number, Sent>()
  let mined: Sent[] = []
  /** Nonces that a node reported as used or occupied, until its transaction count passes them. */
  const refused = new Set<number>()
  let head = { nonce: -1, since: 0 }
  let minedAt = 0
  let timer: NodeJS.Timeout | undefined
  let isInspecting = false
  let isClosed = false
  let round = Promise.withResolvers<void>()

  const countOf = (blockTag: 'latest' | 'pending') => client.getTransactionCount({ address: account.address, blockTag })
  const find = (hash: Hex) =>
    [...waiting.values(), ...mined].find(({ versions }) => versions.some((version) => version.hash === hash))
  const isTaken = (nonce: number) =>
    waiting.has(nonce) || refused.has(nonce) || mined.some((sent) => sent.nonce === nonce)
  const begin = (nonce: number, call: Call, more: Pick<Sent, 'fees' | 'isFiller' | 'onEnd' | 'touchedAt'>): Sent => ({
    ...{ nonce, call, versions: [], since: now(), endedAt: 0, ending: undefined, isReported: false },
    ...more,
  })

  const end = (sent: Sent, ending: Ending) => {
    waiting.delete(sent.nonce)
    Object.assign(sent, { ending, endedAt: now() })
    if (!sent.isReported) sent.onEnd(ending)
    sent.isReported = true
  }
  /** Looks for a receipt for each hash that was sent with this nonce. */
  const look = async (sent: Sent): Promise<void> => {
    for (const { hash, isFiller } of sent.versions) {
      const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
      if (!receipt || !waiting.has(sent.nonce)) continue
      end(sent, isFiller ? { is: 'lost' } : { is: 'mined', receipt })
      minedAt = now()
      mined.push(sent)
    }
  }
  const revive = async (sent: Sent, isHead: boolean) => {
    sent.touchedAt = now()
    const how = await reviveTransaction(wallet, sent, isHead)
    if (how) onRevived(sent.nonce, how)
  }
  /**
   * Fills a gap in the nonces with a filler. Such a nonce is not ours: an earlier process left it or it was never used,
   * and no later transaction can be mined before it.
   */
  const fill = async (nonce: number): Promise<void> => {
    const { fees } = await wallet.standing()
    const sent = begin(nonce, toFiller(wallet), { fees, isFiller: true, onEnd: () => {}, touchedAt: 0 })
    waiting.set(nonce, sent)
    await revive(sent, true)
  }

  const inspect = async (): Promise<void> => {
    const latest = await countOf('latest')
    if (latest !== head.nonce) head = { nonce: latest, since: now() }
    for (const nonce of refused) if (nonce < latest) refused.delete(nonce)
    // The transaction count went back: the chain reorganized, or a replica lags, in which case sending again does no
    // harm.
    const takenBack = mined.filter(({ nonce }) => nonce >= latest)
    for (const sent of takenBack)
      waiting.set(sent.nonce, Object.assign(sent, { ending: undefined, since: now(), touchedAt: 0 }))
    mined = mined.filter((sent) => !takenBack.includes(sent) && sent.endedAt > now() - rememberedMs)
    for (const sent of [...waiting.values()].sort((one, other) => one.nonce - other.nonce)) {
      if (sent.nonce < latest) {
        await look(sent)
        // If no receipt appears for this long, another program with the same key used the nonce.
        if (waiting.has(sent.nonce) && now() - head.since > 2 * reviveAfterMs) end(sent, { is: 'lost' })
      } else if (now() - sent.touchedAt >= reviveAfterMs) await revive(sent, sent.nonce === latest)
    }
    const isBlocked = waiting.size > 0 && Math.min(...waiting.keys()) > latest
    if (isBlocked && now() - head.since >= 2 * reviveAfterMs) await fill(latest)
  }

  const plan = () => {
    clearTimeout(timer)
    if (isClosed || isInspecting || waiting.size + mined.length === 0) return
    timer = setTimeout(
      () => {
        isInspecting = true
        // If the chain does not respond, the next round tries again.
        void inspect()
          .catch(() => undefined)
          .then(() => {
            isInspecting = false
            round.resolve()
            round = Promise.withResolvers()
            plan()
          })
      },
      waiting.size > 0 ? pollingIntervalMs : idleLookMs,
    )
    timer.unref()
  }

  const place = async (call: Call, onEnd: Sent['onEnd']): Promise<Hex> => {
    for (let attempt = 1; attempt <= sendAttempts; attempt++) {
      const [start, { fees }] = await Promise.all([countOf('pending'), wallet.standing()])
      let nonce = start
      while (isTaken(nonce)) nonce++
      const sent = begin(nonce, call, { fees, isFiller: false, onEnd, touchedAt: now() })
      const delivery = await deliverTransaction(client, await signVersion(wallet, sent))
      switch (delivery.is) {
        case 'known':
        case 'unsure': {
          const wasIdle = waiting.size === 0
          if (wasIdle) head.since = now()
          waiting.set(nonce, sent)
          if (wasIdle) plan()
          return sent.versions[0]?.hash ?? '0x'
        }
        case 'spent':
        case 'occupied':
          refused.add(nonce)
          break
        case 'rejected':
          throw new Error('The node does not take the transaction', { cause: delivery.cause })
      }
    }
    throw new Error('No nonce is free: another program sends with this key')
  }
  let last: Promise<unknown> = Promise.resolve()

  return {
    /**
     * Sends a call. Calls are sent one after another: each takes a nonce only when the one before has been delivered.
     *
     * @param onEnd called once, when it is mined or lost
     * @throws Error when the node rejects it, or no nonce is free
     */
    send(call: Call, onEnd: (ending: Ending) => void): Promise<Hex> {
      const sending = last.then(() => place(call, onEnd))
      last = sending.catch(() => undefined)
      return sending
    },
    /** The receipt of a transaction, under whichever hash it was finally mined; rejects after `timeoutMs`. */
    async receiptOf(hash: Hex, timeoutMs: number): Promise<TransactionReceipt> {
      const sent = find(hash)
      if (!sent) return client.getTransactionReceipt({ hash })
      const until = now() + timeoutMs
      if (!sent.ending) await look(sent)
      for (;;) {
        if (sent.ending?.is === 'mined') return sent.ending.receipt
        if (sent.ending?.is === 'lost') throw new Error('Its nonce went to another transaction')
        const leftMs = until - now()
        if (leftMs <= 0) throw new Error('It is not mined yet')
        const pause = Promise.withResolvers<void>()
        const alarm = setTimeout(pause.resolve, leftMs)
        await Promise.race([round.promise, pause.promise])
        clearTimeout(alarm)
      }
    },
    /** Whether this transaction is being watched, or was mined within the last minutes. */
    knows(hash: Hex): boolean {
      const sent = find(hash)
      return sent !== undefined && sent.ending?.is !== 'lost'
    },
    /** The hash under which the transaction was mined, which differs if it was replaced. */
    minedHash(hash: Hex): Hex {
      const ending = find(hash)?.ending
      return ending?.is === 'mined' ? ending.receipt.transactionHash : hash
    },
    queue(): Queue {
      const oldest = Math.min(...[...waiting.values()].map(({ since }) => since))
      return { waiting: waiting.size, stalledMs: waiting.size > 0 ? now() - Math.max(oldest, minedAt) : 0 }
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

export type SettlementSender = ReturnType<typeof makeSettlementSender>
