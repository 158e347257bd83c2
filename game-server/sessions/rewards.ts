import type { Reward, Session } from '../realms/realm.ts'

/** Each level pays its depth the first time a life reaches it; the first one is where everybody begins. */
export function toDepthRewards(session: Session, from: number, to: number): Reward[] {
  const rewards: Reward[] = []
  for (let depth = from + 1; depth <= to; depth++)
    rewards.push({ session, credits: depth, reason: 'depth', ref: `${session.realm.id}/${session.player}/${depth}` })
  return rewards
}

/** What living to the end of a day's dungeon or of a cup run pays. */
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
