import type { LogKeeper } from '../realms/log-keeper.ts'
import type { Realm } from '../realms/realm.ts'
import type { Realms } from '../realms/realms.ts'
import { toDepthRewards, toEndRewards } from './rewards.ts'
import type { SettleLives } from './settle-lives.ts'

interface Options {
  readonly keeper: LogKeeper
  readonly realms: Pick<Realms, 'closeIfOver'>
  readonly settleLeft: SettleLives['settleLeft']
}

/** Pays the rewards that a dead host may have left unpaid in its realms. References keep any from being paid twice. */
export const makePayWhatIsOwed =
  ({ keeper, realms, settleLeft }: Options) =>
  async (recovered: readonly Realm[]): Promise<void> => {
    for (const realm of recovered) {
      for (const session of realm.sessions.values()) {
        realm.unwritten.rewards.push(...toDepthRewards(session, session.paidDepth, session.deepest))
        if (session.isOver) realm.unwritten.rewards.push(...toEndRewards(session))
      }
      keeper.remember(realm)
    }
    await keeper.flush()
    for (const realm of recovered) {
      await realm.paying
      await settleLeft(realm.sessions.values())
      realms.closeIfOver(realm)
    }
  }
