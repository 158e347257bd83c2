import { randomBytes } from 'node:crypto'
import { hashWorld } from '../core/hash-world.ts'
import { summarizeLife } from '../core/life.ts'
import { toDeathCard } from '../protocol/death-card.ts'
import type { Death } from '../protocol/dungeon.ts'
import type { LogKeeper } from '../realms/log-keeper.ts'
import type { Session } from '../realms/realm.ts'
import type { LifeTable } from '../storage/game-schema.ts'
import { toDeath } from './lives.ts'
import { toEndRewards } from './rewards.ts'
import type { SettleLives } from './settle-lives.ts'

interface Options {
  readonly keeper: LogKeeper
  readonly settle: SettleLives['settle']
  readonly now: () => number
}

/**
 * Ends a life: its record is written together with the log that proves it, then its rewards are paid, then its realm is
 * closed if this was the last life in it, then its player is told. `cause` is given where the rules did not end it.
 */
export function makeEndLife({ keeper, settle, now }: Options) {
  async function finish(session: Session, life: LifeTable): Promise<Death> {
    await settle(session, life)
    await keeper.flush()
    const death = toDeath(life)
    session.holder?.send(JSON.stringify({ type: 'death', ...death, card: toDeathCard(death) }))
    return death
  }

  return (session: Session, cause?: string): Promise<Death> => {
    const { realm, player, owner } = session
    const { name, kind } = owner
    const { cause: ending, depth, turn, gold, kills, score, hasWon } = summarizeLife(realm.world, player)
    session.isOver = true
    const life: LifeTable = {
      id: `d_${randomBytes(9).toString('base64url')}`,
      realm: realm.id,
      player,
      account: owner.key,
      name,
      kind,
      mode: realm.mode,
      event: realm.event,
      cause: cause ?? ending,
      depth,
      turn,
      gold,
      kills,
      score,
      has_won: hasWon ? 1 : 0,
      frame: 'plain',
      credits: 0,
      at: now(),
      hash: hashWorld(realm.world),
      commands: realm.commands,
      unsettled_since: now(),
    }
    realm.unwritten.lives.push(life)
    realm.unwritten.rewards.push(...toEndRewards(session))
    keeper.remember(realm)
    return finish(session, life)
  }
}

export type EndLife = ReturnType<typeof makeEndLife>
