import type { Reward, Session } from '../realms/realm.ts'

/** The rewards for the levels after `from` down to `to`: each pays its depth in credits, once per life. */
export function toDepthRewards(session: Session, from: number, to: number): Reward[] {
  const rewards: Reward[] = []
  for (let depth = from + 1; depth <= to; depth++)
    rewards.push({ session, credits: depth, reason: 'depth', ref: `${session.realm.id}/${session.player}/${depth}` })
  return rewards
}

/** The reward for a finished life in a daily dungeon (10 credits) or a cup (20 credits). */
export function toEndRewards(session: Session): Reward[] {
  const { mode, event } = session.realm
  switch (mode) {
    case 'open':
      return []
    case 'daily':
      return [{ session, credits: 10, reason: 'daily', ref: event ?? '' }]
    case 'cup':
      return [{ session, credits: 20, reason: 'cup', ref: event ?? '' }]
  }
}
