import { type Log, toLogText } from '../../src/core/log.ts'
import type { Reward, Session } from '../realms/realm.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import type { Credits } from '../store/credits.ts'

const retryMs = 5000

interface Options {
  readonly db: GameDatabase
  readonly credits: Pick<Credits, 'earn'>
  readonly log: Log
  /** Puts a reward that could not be paid back into the realm's queue. */
  readonly owe: (reward: Reward) => void
  /** Called when a reward is paid that an earlier attempt could not pay. */
  readonly onPaid: (session: Session) => void
}

/** Pays rewards of lives and stores how far each life is paid, so that a start after a crash retries only the rest. */
export function makePayRewards({ db, credits, log, owe, onPaid }: Options) {
  async function pay(reward: Reward): Promise<void> {
    const { session, credits: amount, reason, ref } = reward
    const { owed } = session.realm
    try {
      session.credits += await credits.earn({ key: session.owner.key, credits: amount, reason, ref })
      // A level pays its depth in credits; a level that could not be paid stops the count here.
      if (reason === 'depth' && amount === session.paidDepth + 1) session.paidDepth = amount
      if (owed.delete(ref)) onPaid(session)
    } catch (error) {
      log('server.error', { error: toLogText(error) })
      owed.add(ref)
      setTimeout(() => owe(reward), retryMs)
    }
  }

  async function note({ realm, player, paidDepth, credits: earned }: Session): Promise<void> {
    const paid = { paid_depth: paidDepth, credits: earned }
    await db.updateTable('seat').set(paid).where('realm', '=', realm.id).where('player', '=', player).execute()
  }

  return async (rewards: readonly Reward[]): Promise<void> => {
    for (const reward of rewards) await pay(reward)
    try {
      for (const session of new Set(rewards.map((reward) => reward.session))) await note(session)
    } catch (error) {
      // What is not stored is paid again after a restart; the ledger ignores rewards that it has.
      log('server.error', { error: toLogText(error) })
    }
  }
}
