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

/** How often hosts look for what one left that died. */
const lookEveryMs = 500
/** Without a socket there is no telling when somebody left. */
const awayAfterMs = 10 * 60_000

/** Opens the game, whatever way the keys come, and takes in the worlds of an earlier life of the host. */
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
  /** The last session of each account; the dead keep theirs until they join again. */
  const sessions = new Map<string, Session>()
  const inTurn = makeAccountTurns()
  const nextTurn = makeJoinQueue()
  let isClosed = false
  let keys = 0

  function owe(reward: Reward): void {
    // The next start asks what is owed.
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

  /** Another host plays the realm: its players are sent to come again, and are led there. */
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

  /** Whether a token's player is here already: whoever comes back over another line takes no place from anybody. */
  async function hasPlace(token: string | undefined): Promise<boolean> {
    const account = token === undefined ? undefined : await accounts.findByToken(token)
    return account !== undefined && sessions.get(account.key)?.isHere === true
  }

  function findKick(account: string): Refusal | undefined {
    const retryAfterMs = moderation.remaining('kick', account)
    if (retryAfterMs === 0) return undefined
    return refuse('kicked', 'the operator sent this player away for a while', { retryAfterMs })
  }

  /** The last session of an account, unless its world went to rest a moment ago. */
  function findPlayable(account: string): Session | undefined {
    const session = sessions.get(account)
    return session && (session.isOver || realms.isAwake(session.realm)) ? session : undefined
  }

  const isWritten = (session: Session): Promise<boolean> =>
    new Promise((resolve) => keeper.whenWritten(session.realm, resolve))

  /** The session that its account plays from now on; the one before fades with its player unless a socket holds it. */
  function takeUp(session: Session): void {
    const before = sessions.get(session.owner.key)
    sessions.set(session.owner.key, session)
    if (before && before !== session && !before.holder) leave(before)
  }

  /** Lets somebody who has a name in, to the life that goes on or to a new one. */
  async function sitDown(
    { account, token, isResumed: isKnown, requested }: Named,
    mode: JoinRequest['mode'],
  ): Promise<Joined | Refusal | Elsewhere> {
    const kicked = findKick(account.key)
    if (kicked) return kicked
    return inTurn(account.key, async () => {
      // A name that was freed meanwhile has no life to come back to.
      if (isKnown && !(await accounts.findByToken(token))) return unknownToken()
      const { badges } = await entitlements.of(account.key)
      return beginSession(account, { mode, isNew: !isKnown }, async ({ session, isResumed, events }) => {
        takeUp(session)
        session.badges = badges
        if (isResumed) enter(session)
        else tellViewers(session, events)
        // Who was welcomed is found again, even by a host that dies in this moment.
        await keeper.flush()
        if (!(await isWritten(session))) return movedAway()
        // Who was sent away meanwhile was not found yet by whoever ends what they do here.
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
    /** `look` presses nothing: the player is to be shown everything again. */
    press(session: Session, text: string): Pressed | { readonly is: 'look' } {
      const key = readKey(text)
      if (key === 'look') return { is: 'look' }
      if (isClosed) return closing()
      if (session.realm.isLost) return movedAway()
      keys++
      return press(session, key, text)
    },
    /** Tells when what a session has done is on disk; false when it does not count, because another host has it. */
    whenWritten: ({ realm }: Session, tell: (isKept: boolean) => void): void => keeper.whenWritten(realm, tell),
    enter,
    /** The socket that somebody played over has ended. */
    leave(session: Session): void {
      if (session.isHere) session.leftAt = now()
      leave(session)
    },
    /** Everybody who played lately. */
    sessions: (): Iterable<Session> => sessions.values(),
    /** Every world in memory. */
    realms: realms.all,
    /** Whether a life is lived in one of them. */
    isAwake: ({ realm }: Session): boolean => realms.isAwake(realm),
    /** How many keys were pressed since the start. */
    keys: (): number => keys,
    lag: keeper.lag,

    async join({ name, kind, token, mode }: JoinRequest): Promise<Joined | Refusal | Elsewhere> {
      await nextTurn()
      if (isClosed || (countHere() >= maxPlayers && !(await hasPlace(token)))) return isFull()
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
        // Of a new name that began no life nobody was told the token: it would be lost to whoever tries again.
        if (!joined.isResumed && !sessions.has(key)) await unusedNames.forget(key, joined.token).catch(report)
      }
    },

    /** The last session of a token's player. */
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

    /** Another host where this player is. */
    findHost: async (name: string): Promise<string | undefined> => hosts?.findPlace(toPlayerKey(name)),

    findByName: (name: string): Session | undefined => sessions.get(name.toLowerCase()),

    endCup: makeEndCup({ db, realms, keeper, endLife }),

    /** What is due now and then; call it every minute. */
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
