import { type Log, toLogText } from '../../src/core/log.ts'
import type { LogKeeper } from '../realms/log-keeper.ts'
import type { Session } from '../realms/realm.ts'
import type { Realms } from '../realms/realms.ts'
import type { LifeTable } from '../storage/game-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

const retryMs = 5000
/** How often to check whether a record has been written. */
const lookMs = 200

interface Options {
  readonly db: GameDatabase
  readonly keeper: Pick<LogKeeper, 'flush'>
  readonly realms: Pick<Realms, 'closeIfOver'>
  readonly log: Log
  /** The frame that a player uses now for the card of a death. */
  readonly frameOf: (account: string) => Promise<string>
  /** Whether the host is stopping; the next start settles what is left. */
  readonly isClosed: () => boolean
}

/** The entry in `owed` that keeps a realm open while the record of a life is not final. */
const toRef = ({ player }: Session): string => `life/${player}`

/** Whether the ledger still lacks a reward of this life. */
const isOwed = ({ realm, player }: Session): boolean =>
  [...realm.owed].some((ref) => ref === realm.event || ref.startsWith(`${realm.id}/${player}/`))

/** Whether the record of a life is not written yet; rewards of its last moments are paid only after that. */
const isUnwritten = ({ realm, player }: Session): boolean =>
  realm.unwritten.lives.some((life) => life.player === player)

/**
 * Completes the records of lives with what was not known when they were first written: the credits that were paid and
 * the player's frame. Until then their realm stays open, and pages about these lives must not be cached.
 */
export function makeSettleLives({ db, keeper, realms, log, frameOf, isClosed }: Options) {
  /** Resolves to whether the record is written; it is final then, unless rewards are still owed. */
  async function complete(session: Session, life: Partial<LifeTable>): Promise<boolean> {
    const { realm, player, owner } = session
    const unwritten = await keeper.flush()
    const frame = await frameOf(owner.key)
    await realm.paying
    // The host that has taken over the realm settles its lives.
    if (realm.isLost) return true
    // A record that could not be written yet will be written with these values.
    Object.assign(life, { frame, credits: session.credits })
    if (unwritten.includes(realm)) return false
    const isPaid = !isOwed(session)
    const settled = { frame, credits: session.credits, ...(isPaid && { unsettled_since: null }) }
    await db
      .updateTable('life')
      .set(settled)
      .where('realm', '=', realm.id)
      .where('player', '=', player)
      .where('unsettled_since', 'is not', null)
      .execute()
    if (isPaid) realm.owed.delete(toRef(session))
    return true
  }

  /** Calls `act` after `ms`, unless the host is stopping or another host has taken the realm by then. */
  function later(session: Session, ms: number, act: () => void): void {
    setTimeout(() => {
      if (!isClosed() && !session.realm.isLost) act()
    }, ms).unref()
  }

  /** Settles a life once the log keeper, which retries by itself, has written its record. */
  function settleWhenWritten(session: Session, life: Partial<LifeTable>): void {
    later(session, lookMs, () => {
      if (isUnwritten(session)) settleWhenWritten(session, life)
      else void settle(session, life)
    })
  }

  /**
   * Settles a life; resolves after the first attempt and retries in the background. `life` is its record in memory,
   * which gets the final values, too, in case it is not written yet.
   */
  async function settle(session: Session, life: Partial<LifeTable> = {}): Promise<void> {
    const { realm } = session
    realm.owed.add(toRef(session))
    try {
      if (!(await complete(session, life))) settleWhenWritten(session, life)
      realms.closeIfOver(realm)
    } catch (error) {
      log('server.error', { error: toLogText(error) })
      later(session, retryMs, () => void settle(session, life))
    }
  }

  return {
    settle,
    /** Settles the lives of a realm that a dead host left unsettled. */
    async settleLeft(sessions: Iterable<Session>): Promise<void> {
      for (const session of sessions) {
        if (!session.isOver) continue
        const left = await db
          .selectFrom('life')
          .select('id')
          .where('realm', '=', session.realm.id)
          .where('player', '=', session.player)
          .where('unsettled_since', 'is not', null)
          .executeTakeFirst()
        if (left) await settle(session)
      }
    },
  }
}

export type SettleLives = ReturnType<typeof makeSettleLives>
