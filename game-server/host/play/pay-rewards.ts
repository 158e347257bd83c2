import { type Log, toLogText } from '../../../src/log.ts'
import type { Credits } from '../../store/credits.ts'
import type { Reward, Seat } from '../realms/realm.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

const retryMs = 5000

interface Options {
  readonly db: GameDatabase
  readonly credits: Pick<Credits, 'earn'>
  readonly log: Log
  /** Puts a reward back that could not be paid. */
  readonly owe: (reward: Reward) => void
}

/** Pays what lives earned, and notes how far each is paid, so that a start after a crash asks only about the rest. */
export function makePayRewards({ db, credits, log, owe }: Options) {
  async function pay(reward: Reward): Promise<void> {
    const { seat, credits: amount, reason, ref } = reward
    try {
      seat.credits += await credits.earn({ key: seat.owner.key, credits: amount, reason, ref })
      // A level pays its own number; one that could not be paid holds the count back.
      if (reason === 'depth' && amount === seat.paidDepth + 1) seat.paidDepth = amount
    } catch (error) {
      log('server.error', { error: toLogText(error) })
      setTimeout(() => owe(reward), retryMs)
    }
  }

  async function note({ realm, player, paidDepth, credits: earned }: Seat): Promise<void> {
    const paid = { paid_depth: paidDepth, credits: earned }
    await db.updateTable('seat').set(paid).where('realm', '=', realm.id).where('player', '=', player).execute()
  }

  return async (rewards: readonly Reward[]): Promise<void> => {
    for (const reward of rewards) await pay(reward)
    try {
      for (const seat of new Set(rewards.map((reward) => reward.seat))) await note(seat)
    } catch (error) {
      // What is not noted is asked about again; the ledger knows that it was paid.
      log('server.error', { error: toLogText(error) })
    }
  }
}
