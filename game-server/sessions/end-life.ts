import { randomBytes } from 'node:crypto'
import { type Log, toLogText } from '../../src/core/log.ts'
import { hashWorld } from '../core/hash-world.ts'
import { summarizeLife } from '../core/life.ts'
import { toDeathCard } from '../protocol/death-card.ts'
import type { Death } from '../protocol/dungeon.ts'
import type { LogKeeper } from '../realms/log-keeper.ts'
import type { Session } from '../realms/realm.ts'
import type { Realms } from '../realms/realms.ts'
import type { LifeTable } from '../storage/game-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import { toDeath } from './lives.ts'
import { toEndRewards } from './rewards.ts'

interface Options {
  readonly db: GameDatabase
  readonly keeper: LogKeeper
  readonly realms: Realms
  readonly now: () => number
  readonly log: Log
  /** The frame that a player's card is drawn in now. */
  readonly frameOf: (account: string) => Promise<string>
}

/**
 * Ends a life: its record is written together with the log that proves it, then it is paid, then its realm ends with
 * the last life in it, then its player is told. `cause` is given where the dungeon itself did not end it.
 */
export function makeEndLife({ db, keeper, realms, now, log, frameOf }: Options) {
  /** What the record lacked when it was first written: what was paid, and the frame that its player has now. */
  async function complete(session: Session, life: LifeTable): Promise<LifeTable> {
    await keeper.flush()
    const frame = await frameOf(session.owner.key)
    await session.realm.paying
    const paid = { frame, credits: session.credits }
    // Where it could not be written yet, it is written so.
    Object.assign(life, paid)
    await db.updateTable('life').set(paid).where('id', '=', life.id).execute()
    return life
  }

  async function finish(session: Session, life: LifeTable): Promise<Death> {
    const completed = await complete(session, life).catch((error: unknown) => {
      log('server.error', { error: toLogText(error) })
      return life
    })
    realms.closeIfOver(session.realm)
    await keeper.flush()
    const death = toDeath(completed)
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
    }
    realm.unwritten.lives.push(life)
    realm.unwritten.rewards.push(...toEndRewards(session))
    keeper.remember(realm)
    return finish(session, life)
  }
}

export type EndLife = ReturnType<typeof makeEndLife>
