import type { PendingSettlementStore } from '@x402/core/facilitator'
import type { Hex } from 'viem'

/**
 * The transaction that an earlier attempt with the same signature sent, while it is being watched. A lost transaction
 * is forgotten, so that the next attempt sends a new one.
 */
export function makePendingSettlements(isAlive: (transaction: Hex) => boolean): PendingSettlementStore {
  const transactions = new Map<string, string>()
  const isHex = (text: string): text is Hex => text.startsWith('0x')
  const isKept = (transaction: string) => isHex(transaction) && isAlive(transaction)
  return {
    async get(signature) {
      const transaction = transactions.get(signature)
      return transaction !== undefined && isKept(transaction) ? transaction : undefined
    },
    async set(signature, transaction) {
      for (const [other, known] of transactions) if (!isKept(known)) transactions.delete(other)
      transactions.set(signature, transaction)
    },
    async delete(signature) {
      transactions.delete(signature)
    },
  }
}
