import { type Log, toLogText } from '../../src/core/log.ts'
import { playerNameRule, toPlayerKey } from '../../src/core/player-name.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { readKey } from '../core/read-key.ts'
import type { Elsewhere, Hosts } from '../hosts/hosts.ts'
import { repeat } from '../hosts/repeat.ts'
import type { Moderation } from '../moderation/moderation.ts'
import type { JoinRequest, Refusal } from '../protocol/dungeon.ts'
import { makeLogKeeper } from '../realms/log-keeper.ts'
import type { Realm, Reward, Session } from '../realms/realm.ts'
import { makeRealms } from '../realms/realms.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import type { Joined as AccountJoined, Accounts } from '../store/accounts.ts'
import type { Credits } from '../store/credits.ts'
import type { EntitlementReader } from '../store/entitlements.ts'
import { makeAccountTurns } from './account-turns.ts'
import { makeBeginSession } from './begin-session.ts'
import type { CupAccess } from './cup-access.ts'
import { makeEndCup } from './end-cup.ts'
import { makeEndLife } from './end-life.ts'
import { makeJoinQueue } from './join-queue.ts'
import { makeLostLives } from './lost-lives.ts'
import { makePayRewards } from './pay-rewards.ts'
import { makePayWhatIsOwed } from './pay-what-is-owed.ts'
import { makePresence } from './presence.ts'
import { makePressKey, movedAway, type Pressed, refuse } from './press-key.ts'
import { makeSettleLives } from './settle-lives.ts'
import { tellViewers } from './tell-viewers.ts'
import { makeUnusedNames } from './unused-names.ts'

type Named = Extract<AccountJoined, { is: 'joined' }>

/** A session and the token that opens it. */
export interface Joined {
  readonly is: 'joined'
  readonly session: Session
  readonly token: string
  readonly isResumed: boolean
  readonly requested?: string
}

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

const closing = () => refuse('server_full', 'the game host is restarting; try again in a moment')
const notJoined = () => refuse('not_joined', 'join first, and pass the token from the answer')
const isFull = () => refuse('server_full', 'every place is taken; try again in a minute', { retryAfterMs: 60_000 })
const unknownToken = () => refuse('wrong_token', 'nobody has this token; join without a token to begin as somebody new')

/** How often a host looks for realms that a dead host left. */
const lookEveryMs = 500
/** A player without a socket counts as away after this time without a key. */
const awayAfterMs = 10 * 60_000

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
  const { enter, leave } = makePresence({ realms, now, isClosed: () => isClosed })
  const unusedNames = makeUnusedNames({ db, ledger, moderation, now })
  /** The last session of each account that played lately; the session of a dead character stays until its next join. */
  const sessions = new Map<string, Session>()
  const inTurn = makeAccountTurns()
  const nextTurn = makeJoinQueue()
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
      if (sessions.get(session.owner.key) === session) sessions.delete(session.owner.key)
    }
  }

  const freeName = (key: string): Promise<boolean> => inTurn(key, () => unusedNames.free(key))

  const isKept = (key: string): boolean => moderation.remaining('reserve', key) > 0

  function countHere(): number {
    let count = 0
    for (const session of sessions.values()) if (session.isHere) count++
    return count
  }

  /** Whether the token's player is connected already and so needs no further place. */
  async function hasPlace(token: string | undefined): Promise<boolean> {
    const account = token === undefined ? undefined : await accounts.findByToken(token)
    return account !== undefined && sessions.get(account.key)?.isHere === true
  }

  function findKick(account: string): Refusal | undefined {
    const retryAfterMs = moderation.remaining('kick', account)
    if (retryAfterMs === 0) return undefined
    return refuse('kicked', 'the operator sent this player away for a while', { retryAfterMs })
  }

  /** The last session of an account, unless its realm has left the memory since. */
  function findPlayable(account: string): Session | undefined {
    const session = sessions.get(account)
    return session && (session.isOver || realms.isAwake(session.realm)) ? session : undefined
  }

  const isWritten = (session: Session): Promise<boolean> =>
    new Promise((resolve) => keeper.whenWritten(session.realm, resolve))

  /** Makes this the session that its account plays. The player leaves the previous one, unless a socket holds it. */
  function takeUp(session: Session): void {
    const before = sessions.get(session.owner.key)
    sessions.set(session.owner.key, session)
    if (before && before !== session && !before.holder) leave(before)
  }

  /** Opens the session of an account: the life under way, or a new one. */
  async function sitDown(
    { account, token, isResumed: isKnown, requested }: Named,
    mode: JoinRequest['mode'],
  ): Promise<Joined | Refusal | Elsewhere> {
    const kicked = findKick(account.key)
    if (kicked) return kicked
    return inTurn(account.key, async () => {
      // The name may have been freed while this call waited for its turn.
      if (isKnown && !(await accounts.findByToken(token))) return unknownToken()
      const { badges } = await entitlements.of(account.key)
      return beginSession(account, { mode, isNew: !isKnown }, async ({ session, isResumed, events }) => {
        takeUp(session)
        session.badges = badges
        if (isResumed) enter(session)
        else tellViewers(session, events)
        // Written before the welcome, so that the life is not lost if the host dies now.
        await keeper.flush()
        if (!(await isWritten(session))) return movedAway()
        // A kick during the awaits above did not find this session.
        const kickedSince = findKick(account.key)
        if (kickedSince) {
          leave(session)
          return kickedSince
        }
        return { is: 'joined', session, token, isResumed, ...(requested !== undefined && { requested }) }
      })
    })
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
    enter,
    /** Call it when the socket of a session has closed. */
    leave(session: Session): void {
      if (session.isHere) session.leftAt = now()
      leave(session)
    },
    /** The last session of each account that played lately. */
    sessions: (): Iterable<Session> => sessions.values(),
    /** All realms in memory. */
    realms: realms.all,
    /** Whether the realm of a session is in memory. */
    isAwake: ({ realm }: Session): boolean => realms.isAwake(realm),
    /** How many keys were pressed since the start of the host. */
    keys: (): number => keys,
    lag: keeper.lag,

    async join({ name, kind, token, mode }: JoinRequest): Promise<Joined | Refusal | Elsewhere> {
      await nextTurn()
      if (isClosed) return closing()
      if (countHere() >= maxPlayers && !(await hasPlace(token))) return isFull()
      if (token === undefined && isKept(toPlayerKey(name)))
        return refuse('bad_name', 'this name is reserved; choose another')
      if (token === undefined) await freeName(toPlayerKey(name))
      const joined = await accounts.join({ name, kind, isKept, ...(token !== undefined && { token }) })
      if (joined.is === 'wrong-name')
        return refuse('bad_name', `a name has ${playerNameRule}, and is none of those that only the game may use`)
      if (joined.is === 'wrong-token') return unknownToken()
      const { key } = joined.account
      try {
        return await sitDown(joined, mode)
      } finally {
        // The token of a new name is told only with its first session: without one the name would be locked.
        if (!joined.isResumed && !sessions.has(key)) await unusedNames.forget(key, joined.token).catch(report)
      }
    },

    /** The session that a token's player plays: in memory, on disk, or at another host. */
    async findSession(
      token: string,
    ): Promise<{ readonly is: 'found'; readonly session: Session } | Refusal | Elsewhere> {
      const account = await accounts.findByToken(token)
      const session = account && (findPlayable(account.key) ?? (await findGoing(account)))
      if (session && 'is' in session) return session
      if (!account || !session) return (account && (await lostLives.tell(account.key))) ?? notJoined()
      const kicked = findKick(account.key)
      if (kicked) return kicked
      sessions.set(account.key, session)
      return { is: 'found', session }
    },

    /** The address of another host at which this player has a life; undefined if there is none. */
    findHost: async (name: string): Promise<string | undefined> => hosts?.findPlace(toPlayerKey(name)),

    findByName: (name: string): Session | undefined => sessions.get(name.toLowerCase()),

    endCup: makeEndCup({ db, realms, keeper, endLife }),

    /** Marks idle players as away, takes idle realms out of memory and frees unused names; call it every minute. */
    async tidy(): Promise<void> {
      for (const [account, session] of sessions) {
        const isAway = now() - session.lastAt > awayAfterMs
        if (isAway && !session.holder) leave(session)
        if (isAway && !session.isHere) sessions.delete(account)
      }
      await realms.rest()
      for (const key of await unusedNames.next()) await freeName(key)
    },

    /** Writes everything and takes no more keys. */
    async close(): Promise<void> {
      for (const session of sessions.values()) leave(session)
      isClosed = true
      await takingOver?.stop()
      await realms.restAll()
    },
  }
}

export type Game = Awaited<ReturnType<typeof openGame>>
