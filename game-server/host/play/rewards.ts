import type { Reward, Seat } from '../realms/realm.ts'

/** Each level pays its depth the first time a life reaches it; the first one is where everybody begins. */
export function toDepthRewards(seat: Seat, from: number, to: number): Reward[] {
  const rewards: Reward[] = []
  for (let depth = from + 1; depth <= to; depth++)
    rewards.push({ seat, credits: depth, reason: 'depth', ref: `${seat.realm.id}/${seat.player}/${depth}` })
  return rewards
}

/** What living to the end of a day's dungeon or of a cup run pays. */
export function toEndRewards(seat: Seat): Reward[] {
  const { mode, event } = seat.realm
  switch (mode) {
    case 'open':
      return []
    case 'daily':
      return [{ seat, credits: 10, reason: 'daily', ref: event ?? '' }]
    case 'cup':
      return [{ seat, credits: 20, reason: 'cup', ref: event ?? '' }]
  }
}
