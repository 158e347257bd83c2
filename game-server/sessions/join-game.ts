import { playerNameRule, toPlayerKey } from '../../src/core/player-name.ts'
import type { Elsewhere } from '../hosts/hosts.ts'
import type { Moderation } from '../moderation/moderation.ts'
import type { JoinRequest, Refusal } from '../protocol/dungeon.ts'
import type { LogKeeper } from '../realms/log-keeper.ts'
import type { Session } from '../realms/realm.ts'
import type { Joined as AccountJoined, Accounts } from '../store/accounts.ts'
import type { EntitlementReader } from '../store/entitlements.ts'
import { makeAccountTurns } from './account-turns.ts'
import type { BeginSession } from './begin-session.ts'
import type { FindKick } from './find-kick.ts'
import { makeJoinQueue } from './join-queue.ts'
import type { LatestSessions } from './latest-sessions.ts'
import type { Presence } from './presence.ts'
import { closing, movedAway, refuse } from './press-key.ts'
import { tellViewers } from './tell-viewers.ts'
import type { UnusedNames } from './unused-names.ts'

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
  readonly accounts: Pick<Accounts, 'join' | 'findByToken'>
  readonly entitlements: Pick<EntitlementReader, 'of'>
  readonly moderation: Pick<Moderation, 'remaining'>
  readonly keeper: Pick<LogKeeper, 'flush' | 'whenWritten'>
  readonly sessions: LatestSessions
  readonly presence: Presence
  readonly beginSession: BeginSession['beginSession']
  readonly findKick: FindKick
  readonly unusedNames: Pick<UnusedNames, 'free' | 'forget'>
  readonly maxPlayers: number
  /** Whether the host is stopping. */
  readonly isClosed: () => boolean
  readonly report: (error: unknown) => void
}

const isFull = () => refuse('server_full', 'every place is taken; try again in a minute', { retryAfterMs: 60_000 })
const unknownToken = () => refuse('wrong_token', 'nobody has this token; join without a token to begin as somebody new')

/** Joins players: finds or opens their account, then their session. */
export function makeJoinGame(options: Options) {
  const { accounts, entitlements, moderation, keeper, sessions, presence, beginSession, findKick } = options
  const { unusedNames, maxPlayers, isClosed, report } = options
  const inTurn = makeAccountTurns()
  const nextTurn = makeJoinQueue()

  const freeName = (key: string): Promise<boolean> => inTurn(key, () => unusedNames.free(key))

  const isKept = (key: string): boolean => moderation.remaining('reserve', key) > 0

  /** Whether the token's player is connected already and so needs no further place. */
  async function hasPlace(token: string | undefined): Promise<boolean> {
    const account = token === undefined ? undefined : await accounts.findByToken(token)
    return account !== undefined && sessions.get(account.key)?.isHere === true
  }

  const isWritten = (session: Session): Promise<boolean> =>
    new Promise((resolve) => keeper.whenWritten(session.realm, resolve))

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
        sessions.takeUp(session)
        session.badges = badges
        if (isResumed) presence.enter(session)
        else tellViewers(session, events)
        // Written before the welcome, so that the life is not lost if the host dies now.
        await keeper.flush()
        if (!(await isWritten(session))) return movedAway()
        // A kick during the awaits above did not find this session.
        const kickedSince = findKick(account.key)
        if (kickedSince) {
          presence.leave(session)
          return kickedSince
        }
        return { is: 'joined', session, token, isResumed, ...(requested !== undefined && { requested }) }
      })
    })
  }

  return {
    /** Frees a name if nobody uses it, once no join of it is under way. */
    freeName,

    async join({ name, kind, token, mode }: JoinRequest): Promise<Joined | Refusal | Elsewhere> {
      await nextTurn()
      if (isClosed()) return closing()
      if (sessions.countHere() >= maxPlayers && !(await hasPlace(token))) return isFull()
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
        if (!joined.isResumed && !sessions.get(key)) await unusedNames.forget(key, joined.token).catch(report)
      }
    },
  }
}
