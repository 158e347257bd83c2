import { type Log, toLogText } from '../../src/core/log.ts'
import { toPlayerKey } from '../../src/core/player-name.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { readKey } from '../core/read-key.ts'
import type { Elsewhere, Hosts } from '../hosts/hosts.ts'
import { repeat } from '../hosts/repeat.ts'
import type { Moderation } from '../moderation/moderation.ts'
import type { Refusal } from '../protocol/dungeon.ts'
import { makeLogKeeper } from '../realms/log-keeper.ts'
import type { Realm, Reward, Session } from '../realms/realm.ts'
import { makeRealms } from '../realms/realms.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import type { Accounts } from '../store/accounts.ts'
import type { Credits } from '../store/credits.ts'
import type { EntitlementReader } from '../store/entitlements.ts'
import { makeBeginSession } from './begin-session.ts'
import type { CupAccess } from './cup-access.ts'
import { makeEndCup } from './end-cup.ts'
import { makeEndLife } from './end-life.ts'
import { makeFindKick } from './find-kick.ts'
import { makeJoinGame } from './join-game.ts'
import { makeLatestSessions } from './latest-sessions.ts'
import { makeLostLives } from './lost-lives.ts'
import { makePayRewards } from './pay-rewards.ts'
import { makePayWhatIsOwed } from './pay-what-is-owed.ts'
import { makePresence } from './presence.ts'
import { closing, makePressKey, movedAway, type Pressed, refuse } from './press-key.ts'
import { makeSettleLives } from './settle-lives.ts'
import { makeUnusedNames } from './unused-names.ts'

interface Options {
  readonly db: GameDatabase
  readonly ledger: LedgerDatabase
  readonly accounts: Pick<Accounts, 'join' | 'findByToken'>
  readonly credits: Pick<Credits, 'earn'>
  readonly entitlements: Pick<EntitlementReader, 'of'>
  readonly cups: CupAccess
  readonly moderation: Moderation
  readonly log: Log
  readonly now: () => number
  readonly maxPlayers: number
  readonly inputLimits: { readonly perSecond: number; readonly burst: number }
  /** Where several hosts share the database. */
  readonly hosts?: Hosts | undefined
}

const notJoined = () => refuse('not_joined', 'join first, and pass the token from the answer')

/** How often a host looks for realms that a dead host left. */
const lookEveryMs = 500

/**
 * Opens the game behind sockets, HTTP and MCP, loads the realms that were in memory when the host last died, and pays
 * the rewards still owed in them.
 */
export async function openGame(options: Options) {
  const { db, ledger, accounts, credits, entitlements, cups, moderation, log, now, maxPlayers, inputLimits } = options
  const { hosts } = options
  const pay = makePayRewards({ db, credits, log, owe, onPaid })
  const keeper = makeLogKeeper({ db, log, now, pay, owner: hosts?.id, onLost: lose, onClosed })
  const report = (error: unknown): void => log('server.error', { error: toLogText(error) })
  const realms = makeRealms({ db, keeper, now, inputLimits, log, hosts, onTaken })
  const frameOf = async (account: string) => (await entitlements.of(account)).activeFrame
  const { settle, settleLeft } = makeSettleLives({ db, keeper, realms, log, frameOf, isClosed: () => isClosed })
  const payWhatIsOwed = makePayWhatIsOwed({ keeper, realms, settleLeft })
  const endLife = makeEndLife({ keeper, settle, now })
  const press = makePressKey({ realms, keeper, endLife, now })
  const lostLives = makeLostLives({ db, now })
  const { beginSession, findGoing } = makeBeginSession({ db, realms, cups, lostLives, now, hosts })
  const presence = makePresence({ realms, now, isClosed: () => isClosed })
  const sessions = makeLatestSessions({ realms, leave: presence.leave, now })
  const unusedNames = makeUnusedNames({ db, ledger, moderation, now })
  const findKick = makeFindKick(moderation)
  const { join, freeName } = makeJoinGame({
    accounts,
    entitlements,
    moderation,
    keeper,
    sessions,
    presence,
    beginSession,
    findKick,
    unusedNames,
    maxPlayers,
    isClosed: () => isClosed,
    report,
  })
  let isClosed = false
  let keys = 0

  function owe(reward: Reward): void {
    // The next start pays what is still owed.
    if (isClosed) return
    const { realm } = reward.session
    realm.unwritten.rewards.push(reward)
    keeper.remember(realm)
  }

  function onPaid(session: Session): void {
    if (session.isOver) void settle(session)
    else realms.closeIfOver(session.realm)
  }

  function onClosed(realm: Realm): void {
    realms.letGo(realm)
  }

  function onTaken(realm: Realm): void {
    payWhatIsOwed([realm]).catch(report)
  }

  /** Another host has taken over the realm: its players are told to reconnect, which leads them to that host. */
  function lose(realm: Realm): void {
    log('server.note', { note: `realm ${realm.id} was taken over by another game host` })
    realms.lose(realm)
    for (const session of realm.sessions.values()) {
      session.holder?.restart()
      sessions.forget(session)
    }
  }

  await realms.recover()
  await payWhatIsOwed([...realms.all()])
  const takingOver = hosts && repeat(lookEveryMs, realms.takeOver, report)

  return {
    /** Presses a key of a session. `look` presses nothing: the caller shows the player everything again. */
    press(session: Session, text: string): Pressed | { readonly is: 'look' } {
      const key = readKey(text)
      if (key === 'look') return { is: 'look' }
      if (isClosed) return closing()
      if (session.realm.isLost) return movedAway()
      keys++
      return press(session, key, text)
    },
    /** Calls `tell` once what a session has done is on disk; with false when another host has taken over the realm. */
    whenWritten: ({ realm }: Session, tell: (isKept: boolean) => void): void => keeper.whenWritten(realm, tell),
    enter: presence.enter,
    /** Call it when the socket of a session has closed. */
    leave(session: Session): void {
      if (session.isHere) session.leftAt = now()
      presence.leave(session)
    },
    /** The last session of each account that played lately. */
    sessions: sessions.all,
    /** All realms in memory. */
    realms: realms.all,
    /** Whether the realm of a session is in memory. */
    isAwake: ({ realm }: Session): boolean => realms.isAwake(realm),
    /** How many keys were pressed since the start of the host. */
    keys: (): number => keys,
    lag: keeper.lag,

    join,

    /** The session that a token's player plays: in memory, on disk, or at another host. */
    async findSession(
      token: string,
    ): Promise<{ readonly is: 'found'; readonly session: Session } | Refusal | Elsewhere> {
      const account = await accounts.findByToken(token)
      const session = account && (sessions.findPlayable(account.key) ?? (await findGoing(account)))
      if (session && 'is' in session) return session
      if (!account || !session) return (account && (await lostLives.tell(account.key))) ?? notJoined()
      const kicked = findKick(account.key)
      if (kicked) return kicked
      sessions.keep(session)
      return { is: 'found', session }
    },

    /** The address of another host at which this player has a life; undefined if there is none. */
    findHost: async (name: string): Promise<string | undefined> => hosts?.findPlace(toPlayerKey(name)),

    findByName: (name: string): Session | undefined => sessions.get(name.toLowerCase()),

    endCup: makeEndCup({ db, realms, keeper, endLife }),

    /** Marks idle players as away, takes idle realms out of memory and frees unused names; call it every minute. */
    async tidy(): Promise<void> {
      sessions.tidy()
      await realms.rest()
      for (const key of await unusedNames.next()) await freeName(key)
    },

    /** Writes everything and takes no more keys. */
    async close(): Promise<void> {
      for (const session of sessions.all()) presence.leave(session)
      isClosed = true
      await takingOver?.stop()
      await realms.restAll()
    },
  }
}

export type Game = Awaited<ReturnType<typeof openGame>>
