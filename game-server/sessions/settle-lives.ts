import { type Log, toLogText } from '../../src/core/log.ts'
import type { LogKeeper } from '../realms/log-keeper.ts'
import type { Session } from '../realms/realm.ts'
import type { Realms } from '../realms/realms.ts'
import type { LifeTable } from '../storage/game-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

const retryMs = 5000
/** A record that waits to be written is looked at again so soon. */
const lookMs = 200

interface Options {
  readonly db: GameDatabase
  readonly keeper: Pick<LogKeeper, 'flush'>
  readonly realms: Pick<Realms, 'closeIfOver'>
  readonly log: Log
  /** The frame that a player's card is drawn in now. */
  readonly frameOf: (account: string) => Promise<string>
  /** Whether the host ends: the next start settles what is left. */
  readonly isClosed: () => boolean
}

/** What a realm is kept open for, so that a start asks for it: the record of a life that is not final. */
const toRef = ({ player }: Session): string => `life/${player}`

/** Whether the ledger could not write down yet what a life earned. */
const isOwed = ({ realm, player }: Session): boolean =>
  [...realm.owed].some((ref) => ref === realm.event || ref.startsWith(`${realm.id}/${player}/`))

/** Whether the record of a life could not be written yet: nothing of its last moments is paid before. */
const isUnwritten = ({ realm, player }: Session): boolean =>
  realm.unwritten.lives.some((life) => life.player === player)

/**
 * Completes the records of lives with what they lacked when they were first written: what was paid, and the frame that
 * the player has. Until that is done their realm stays open, and nobody may keep what is shown of them.
 */
export function makeSettleLives({ db, keeper, realms, log, frameOf, isClosed }: Options) {
  /** Says whether the record is written; it is final then, unless something is owed. */
  async function complete(session: Session, life: Partial<LifeTable>): Promise<boolean> {
    const { realm, player, owner } = session
    const unwritten = await keeper.flush()
    const frame = await frameOf(owner.key)
    await realm.paying
    // Whoever has the realm by now settles its lives.
    if (realm.isLost) return true
    // Where it could not be written yet, it is written so.
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

  /** Unless the host ends meanwhile, or another one takes the realm. */
  function later(session: Session, ms: number, act: () => void): void {
    setTimeout(() => {
      if (!isClosed() && !session.realm.isLost) act()
    }, ms).unref()
  }

  /** The log keeper tries to write it in its own time. */
  function settleWhenWritten(session: Session, life: Partial<LifeTable>): void {
    later(session, lookMs, () => {
      if (isUnwritten(session)) settleWhenWritten(session, life)
      else void settle(session, life)
    })
  }

  /** Tries until it is done; ends after the first try. `life`: its record as it is to be written, where it may not be yet. */
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
    /** Settles what a dead host left unsettled of a realm. */
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
