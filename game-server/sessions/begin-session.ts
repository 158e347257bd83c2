import { randomBytes } from 'node:crypto'
import { toUtcDate } from '../../src/core/utc-date.ts'
import type { GameEvent } from '../core/step.ts'
import { isKnownRules } from '../core/world.ts'
import type { Elsewhere, Hosts } from '../hosts/hosts.ts'
import type { JoinRequest, Mode, Refusal } from '../protocol/dungeon.ts'
import type { Session } from '../realms/realm.ts'
import type { Realms, Venue } from '../realms/realms.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import type { Account } from '../store/accounts.ts'
import type { CupAccess } from './cup-access.ts'
import { getDaily } from './daily.ts'
import { type LostLives, lostRun } from './lost-lives.ts'
import { refuse } from './press-key.ts'

interface Options {
  readonly db: GameDatabase
  readonly realms: Realms
  readonly cups: CupAccess
  readonly lostLives: LostLives
  readonly now: () => number
  /** Set where several hosts share the database, each of which may begin lives. */
  readonly hosts?: Pick<Hosts, 'claim' | 'beLeased'> | undefined
}

export interface Taken {
  readonly is: 'taken'
  readonly session: Session
  /** Whether the life was under way already. */
  readonly isResumed: boolean
  /** What happened at its beginning, for the viewers. */
  readonly events: readonly GameEvent[]
}

const goOn = (session: Session): Taken => ({ is: 'taken', session, isResumed: true, events: [] })
const closed = () =>
  refuse('cup_closed', 'no cup is open now; GET /api/cups lists them, and an entry counts for the next one')
/** The limits of a run whose cup is over: its next key ends it, if the host has not done so before. */
const timeIsUp = { keys: 0, at: 0 }
/** A part of messages that appear after the program was downgraded. */
const newer = 'needs a newer version of the game than this host has'

/** Finds the life that an account has under way, or begins one. */
export function makeBeginSession({ db, realms, cups, lostLives, now, hosts }: Options) {
  function begin(owner: Account, venue: Venue, isNew: boolean): Taken {
    const events: GameEvent[] = []
    const session = realms.begin(owner, venue, hosts !== undefined && !isNew, events)
    return { is: 'taken', session, isResumed: false, events }
  }

  /** Whether an account has or had a life in this daily dungeon or cup, including one whose log cannot be read. */
  const findLived = (owner: Account, mode: 'daily' | 'cup', event: string) =>
    db
      .selectFrom('seat')
      .innerJoin('realm', 'realm.id', 'seat.realm')
      .select('realm.unreadable_at')
      .where('seat.account', '=', owner.key)
      .where('realm.mode', '=', mode)
      .where('realm.event', '=', event)
      .executeTakeFirst()

  async function beginDaily(owner: Account, isNew: boolean): Promise<Taken | Refusal> {
    const event = toUtcDate(now())
    if (realms.hasLived(owner.key, 'daily', event) || (await findLived(owner, 'daily', event)))
      return refuse(
        'no_entry',
        'you have had your one life in the dungeon of today; the next one opens at midnight UTC',
      )
    const { seed, rules } = await getDaily(db, event)
    if (!isKnownRules(rules))
      return refuse(
        'no_entry',
        `the dungeon of today ${newer}; the next one opens at midnight UTC, or join with mode open`,
      )
    // All play the same levels, but each with their own dice, so that copying another player's keys does not help.
    return begin(owner, { mode: 'daily', event, seed, rules, dice: randomBytes(32).toString('hex') }, isNew)
  }

  async function beginCupRun(owner: Account, isNew: boolean): Promise<Taken | Refusal | Elsewhere> {
    const entry = await cups.enter(owner)
    if (entry.is === 'closed') return closed()
    if (entry.is === 'newer') return refuse('cup_closed', `this cup ${newer}; entries stay valid, so try again later`)
    if (entry.is === 'no-entry')
      return refuse(
        'no_entry',
        'this player has no entry for the cup: join with the token of the one who has it, or get one in the store (agent_cup_entry)',
      )
    const event = entry.venue.event ?? ''
    const going = await realms.findLife(owner.key, 'cup', { event })
    if (going && 'is' in going) return going
    if (going) {
      going.limits = entry.limits
      return goOn(going)
    }
    const lost = await lostLives.tell(owner.key, 'cup')
    if (lost) return lost
    const lived = await findLived(owner, 'cup', event)
    if (lived?.unreadable_at) return refuse('no_entry', lostRun)
    if (lived || realms.hasLived(owner.key, 'cup', event))
      return refuse('no_entry', 'you have one life in a cup, and yours is over')
    // The cup may have ended during the awaits above, and nothing would end a run that begins after that.
    if ((await cups.enter(owner)).is !== 'entered') return closed()
    const taken = begin(owner, entry.venue, isNew)
    taken.session.limits = entry.limits
    return taken
  }

  /**
   * The life that an account has under way, in any mode unless one is given. With mode `daily` it is a life of today,
   * or of an earlier day if it was played a moment ago and the player only reconnects.
   */
  async function findGoing(owner: Account, mode?: Mode): Promise<Session | Elsewhere | undefined> {
    const day = mode === 'daily' ? toUtcDate(now()) : undefined
    const going = await realms.findLife(owner.key, mode, { day })
    if (!going || 'is' in going || going.realm.mode !== 'cup' || going.limits) return going
    const entry = await cups.enter(owner)
    const isItsCup = entry.is === 'entered' && entry.venue.event === going.realm.event
    going.limits = isItsCup ? entry.limits : timeIsUp
    return going
  }

  async function findOrBegin(owner: Account, mode: JoinRequest['mode'], isNew: boolean) {
    if (mode === 'cup') return beginCupRun(owner, isNew)
    const going = await findGoing(owner, mode)
    if (going) return 'is' in going ? going : goOn(going)
    const lost = isNew ? undefined : await lostLives.tell(owner.key, mode)
    if (lost) return lost
    return mode === 'daily' ? beginDaily(owner, isNew) : begin(owner, { mode: 'open', event: null }, isNew)
  }

  return {
    findGoing,
    /**
     * Finds or begins the session of an account. No other host can begin one for it before `use` has ended; an account
     * that `isNew` needs no lock, because nobody else has its token.
     */
    async beginSession<Result>(
      owner: Account,
      { mode, isNew }: { mode: JoinRequest['mode']; isNew: boolean },
      use: (taken: Taken) => Promise<Result>,
    ): Promise<Result | Refusal | Elsewhere> {
      await hosts?.beLeased()
      const work = async () => {
        const taken = await findOrBegin(owner, mode, isNew)
        return taken.is === 'taken' ? use(taken) : taken
      }
      if (!hosts || isNew) return work()
      // A player who only reconnects needs no claim.
      const going = mode === 'cup' ? undefined : await findGoing(owner, mode)
      if (going && 'is' in going) return going
      if (going) return use(goOn(going))
      return (
        (await hosts.claim(owner.key, work)) ??
        refuse('server_full', 'this player is joining from several places at once; try again in a moment', {
          retryAfterMs: 1000,
        })
      )
    },
  }
}

export type BeginSession = ReturnType<typeof makeBeginSession>
