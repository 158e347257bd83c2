import { randomBytes } from 'node:crypto'
import { hashWorld } from '../../core/hash-world.ts'
import { summarizeLife } from '../../core/life.ts'
import type { Death } from '../dungeon.ts'
import type { LogKeeper } from '../realms/log-keeper.ts'
import type { Seat } from '../realms/realm.ts'
import type { Realms } from '../realms/realms.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import { toDeath } from './lives.ts'
import { toEndRewards } from './rewards.ts'

interface Options {
  readonly db: GameDatabase
  readonly keeper: LogKeeper
  readonly realms: Realms
  readonly now: () => number
  /** The frame that a player's card is drawn in now. */
  readonly frameOf: (account: string) => Promise<string>
}

/**
 * Ends a life: its record is written together with the log that proves it, then it is paid, then its realm ends with
 * the last life in it. `cause` is given where the dungeon itself did not end it.
 */
export function makeEndLife({ db, keeper, realms, now, frameOf }: Options) {
  async function finish(seat: Seat, id: string): Promise<Death> {
    const { realm, owner } = seat
    await keeper.flush()
    const frame = await frameOf(owner.key)
    await realm.paying
    const paid = { frame, credits: seat.credits }
    await db.updateTable('life').set(paid).where('id', '=', id).execute()
    realms.closeIfOver(realm)
    await keeper.flush()
    const life = await db.selectFrom('life').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return toDeath(life)
  }

  return (seat: Seat, cause?: string): Promise<Death> => {
    const { realm, player, owner } = seat
    const life = summarizeLife(realm.world, player)
    const id = `d_${randomBytes(9).toString('base64url')}`
    seat.isOver = true
    realm.unwritten.lives.push({
      id,
      realm: realm.id,
      player,
      account: owner.key,
      name: owner.name,
      kind: owner.kind,
      mode: realm.mode,
      event: realm.event,
      cause: cause ?? life.cause,
      depth: life.depth,
      turn: life.turn,
      gold: life.gold,
      kills: life.kills,
      score: life.score,
      has_won: life.hasWon ? 1 : 0,
      frame: 'plain',
      credits: 0,
      at: now(),
      hash: hashWorld(realm.world),
      commands: realm.commands,
    })
    realm.unwritten.rewards.push(...toEndRewards(seat))
    keeper.remember(realm)
    return finish(seat, id)
  }
}

export type EndLife = ReturnType<typeof makeEndLife>
