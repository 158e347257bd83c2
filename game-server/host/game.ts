import type { Log } from '../../src/log.ts'
import { toPlayerKey } from '../../src/player-name.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import type { GameEvent } from '../core/step.ts'
import type { Accounts } from '../store/accounts.ts'
import type { Credits } from '../store/credits.ts'
import type { EntitlementReader } from '../store/entitlements.ts'
import type { JoinRequest, Refusal } from './dungeon.ts'
import type { CupDoor } from './play/cup-door.ts'
import { makeEndLife } from './play/end-life.ts'
import { makeDoor } from './play/make-door.ts'
import { makePayRewards } from './play/pay-rewards.ts'
import { makePressKey, type Pressed, refuse } from './play/press-key.ts'
import { toDepthRewards, toEndRewards } from './play/rewards.ts'
import { makeTakeSeat } from './play/take-seat.ts'
import { makeUnusedNames } from './play/unused-names.ts'
import { spread } from './play/wake.ts'
import { makeLogKeeper } from './realms/log-keeper.ts'
import type { Realm, Reward, Seat } from './realms/realm.ts'
import { makeRealms } from './realms/realms.ts'
import type { Rulings } from './rulings.ts'
import type { GameDatabase } from './storage/open-game-database.ts'

/** A seat and the token that opens it. */
export interface Seated {
  readonly is: 'seated'
  readonly seat: Seat
  readonly token: string
  readonly isResumed: boolean
  readonly requested?: string
}

/** Playing, whatever way the keys come. */
export interface Game {
  join(request: JoinRequest): Promise<Seated | Refusal>
  /** The seat that a token's player sat in last. */
  findSeat(token: string): Promise<{ readonly is: 'found'; readonly seat: Seat } | Refusal>
  findByName(name: string): Seat | undefined
  press(seat: Seat, key: string): Pressed
  /** The player is back: the avatar stands in the dungeon again. */
  enter(seat: Seat): void
  /** The player is away: the avatar fades, and nothing can happen to it. */
  leave(seat: Seat): void
  /** Everybody who played lately. */
  seats(): Iterable<Seat>
  /** Every world in memory. */
  realms(): Iterable<Realm>
  /** How many keys were pressed since the start. */
  keys(): number
  /** Ends every run of a cup that is still under way. */
  endCup(cup: string): Promise<void>
  /** Commands that are not on disk yet. */
  lag(): number
  /** What is due now and then; call it every minute. */
  tidy(): Promise<void>
  /** Writes everything and takes no more keys. */
  close(): Promise<void>
}

interface Options {
  readonly db: GameDatabase
  readonly ledger: LedgerDatabase
  readonly accounts: Pick<Accounts, 'join' | 'findByToken'>
  readonly credits: Pick<Credits, 'earn'>
  readonly entitlements: Pick<EntitlementReader, 'of'>
  readonly cups: CupDoor
  readonly rulings: Rulings
  readonly log: Log
  readonly now: () => number
  readonly maxPlayers: number
  readonly inputLimits: { readonly perSecond: number; readonly burst: number }
}

const unknownToken = () => refuse('wrong_token', 'nobody has this token; join without one to begin anew')

/** Without a socket there is no telling when somebody left. */
const awayAfterMs = 10 * 60_000

/** Opens the game and takes in the worlds of an earlier life of the host. */
export async function openGame(options: Options): Promise<Game> {
  const { db, ledger, accounts, credits, entitlements, cups, rulings, log, now, maxPlayers, inputLimits } = options
  const pay = makePayRewards({ db, credits, log, owe })
  const keeper = makeLogKeeper({ db, log, now, pay })
  const realms = makeRealms({ db, keeper, now, inputLimits })
  const frameOf = async (account: string) => (await entitlements.of(account)).activeFrame
  const endLife = makeEndLife({ db, keeper, realms, now, log, frameOf })
  const press = makePressKey({ realms, keeper, endLife, now })
  const { takeSeat, findGoing } = makeTakeSeat({ db, realms, cups, now })
  const unusedNames = makeUnusedNames({ db, ledger, rulings, now })
  /** The seat each account sat in last; the dead keep theirs until they join again. */
  const seats = new Map<string, Seat>()
  const joining = new Map<string, Promise<unknown>>()
  const comeIn = makeDoor()
  let isClosed = false
  let keys = 0

  function owe(reward: Reward): void {
    const { realm } = reward.seat
    realm.unwritten.rewards.push(reward)
    keeper.remember(realm)
  }

  /** What a dead host may have owed. Every reward has a natural reference, so that none is paid twice. */
  async function payWhatIsOwed(): Promise<void> {
    for (const realm of [...realms.all()]) {
      for (const seat of realm.seats.values()) {
        realm.unwritten.rewards.push(...toDepthRewards(seat, seat.paidDepth, seat.deepest))
        if (seat.isOver) realm.unwritten.rewards.push(...toEndRewards(seat))
      }
      keeper.remember(realm)
    }
    await keeper.flush()
    for (const realm of [...realms.all()]) {
      await realm.paying
      realms.closeIfOver(realm)
    }
  }

  /** One join at a time for each account, so that two sockets with one token share one life. */
  function inTurn<Result>(account: string, act: () => Promise<Result>): Promise<Result> {
    const before = joining.get(account) ?? Promise.resolve()
    const turn = before.then(act)
    const settled = turn
      .catch(() => {})
      .then(() => {
        if (joining.get(account) === settled) joining.delete(account)
      })
    joining.set(account, settled)
    return turn
  }

  const freeName = (key: string): Promise<boolean> => inTurn(key, () => unusedNames.free(key))

  function countHere(): number {
    let count = 0
    for (const seat of seats.values()) if (seat.isHere) count++
    return count
  }

  function enter(seat: Seat): void {
    seat.lastAt = now()
    if (seat.isHere || seat.isOver) return
    seat.isHere = true
    const events: GameEvent[] = []
    realms.advance(seat.realm, { is: 'return', player: seat.player }, events)
    spread(seat, events)
  }

  function leave(seat: Seat): void {
    if (!seat.isHere) return
    seat.isHere = false
    if (seat.isOver || isClosed) return
    const events: GameEvent[] = []
    realms.advance(seat.realm, { is: 'leave', player: seat.player }, events)
    spread(seat, events)
  }

  await realms.recover()
  await payWhatIsOwed()

  return {
    press(seat, key) {
      if (isClosed) return refuse('server_full', 'the house is closing; come back in a moment')
      keys++
      return press(seat, key)
    },
    enter,
    leave,
    seats: () => seats.values(),
    realms: realms.all,
    keys: () => keys,
    lag: keeper.lag,

    async join({ name, kind, token, mode }) {
      await comeIn()
      if (isClosed || countHere() >= maxPlayers)
        return refuse('server_full', 'every place is taken; try again in a minute', { retryAfterMs: 60_000 })
      if (token === undefined && rulings.remaining('reserve', name.toLowerCase()) > 0)
        return refuse('bad_name', 'this name is kept for somebody; choose another')
      if (token === undefined) await freeName(toPlayerKey(name))
      const joined = await accounts.join({ name, kind, ...(token !== undefined && { token }) })
      if (joined.is === 'wrong-name')
        return refuse(
          'bad_name',
          'a name is 1 to 24 letters, digits, - or _, begins with a letter or digit, and speaks for nobody else',
        )
      if (joined.is === 'wrong-token') return unknownToken()
      const { account } = joined
      const kickedMs = rulings.remaining('kick', account.key)
      if (kickedMs > 0)
        return refuse('kicked', 'the operator sent this player away for a while', { retryAfterMs: kickedMs })
      return inTurn(account.key, async () => {
        // A name that was freed meanwhile has no life to come back to.
        if (token !== undefined && !(await accounts.findByToken(token))) return unknownToken()
        const { badges } = await entitlements.of(account.key)
        const taken = await takeSeat(account, mode)
        if (taken.is === 'refused') return taken
        const { seat, isResumed } = taken
        seats.set(account.key, seat)
        seat.badges = badges
        if (isResumed) enter(seat)
        else spread(seat, [])
        // Who was welcomed is found again, even by a host that dies in this moment.
        await keeper.flush()
        const { requested } = joined
        return { is: 'seated', seat, token: joined.token, isResumed, ...(requested !== undefined && { requested }) }
      })
    },

    async findSeat(token) {
      const account = await accounts.findByToken(token)
      const seat = account && (seats.get(account.key) ?? (await findGoing(account)))
      if (!account || !seat) return refuse('not_joined', 'join first, and pass the token that joining returns')
      const kickedMs = rulings.remaining('kick', account.key)
      if (kickedMs > 0)
        return refuse('kicked', 'the operator sent this player away for a while', { retryAfterMs: kickedMs })
      seats.set(account.key, seat)
      return { is: 'found', seat }
    },

    findByName: (name) => seats.get(name.toLowerCase()),

    async endCup(cup) {
      const going = await db
        .selectFrom('seat')
        .innerJoin('realm', 'realm.id', 'seat.realm')
        .select(['seat.account'])
        .where('realm.mode', '=', 'cup')
        .where('realm.event', '=', cup)
        .where('seat.is_over', '=', 0)
        .execute()
      for (const { account } of going) {
        const seat = await realms.findLife(account, 'cup')
        if (!seat || seat.realm.event !== cup) continue
        seat.death = endLife(seat, 'ran out of time')
        await seat.death
      }
    },

    async tidy() {
      for (const [account, seat] of seats) {
        const isAway = now() - seat.lastAt > awayAfterMs
        if (isAway && !seat.holder) leave(seat)
        if (isAway && !seat.isHere) seats.delete(account)
      }
      await realms.rest()
      for (const key of await unusedNames.next()) await freeName(key)
    },

    async close() {
      for (const seat of seats.values()) leave(seat)
      isClosed = true
      await realms.restAll()
    },
  }
}
