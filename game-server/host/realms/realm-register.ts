import { makeTokenBucket } from '../../../src/server/token-bucket.ts'
import type { Mode } from '../dungeon.ts'
import { makeUnwritten, type Realm, type Seat, type SeatOwner } from './realm.ts'

/** The core tells players apart by 16 bits on every pile of loot. */
const playersPerRealm = 16
/** Who comes later would find the upper levels emptied of company, and gets a realm of their own. */
const opensForMs = 30 * 60_000
const deepestToJoin = 3

interface Options {
  readonly now: () => number
  readonly inputLimits: { readonly perSecond: number; readonly burst: number }
}

/** The realms in memory, and who sits in them. */
export function makeRealmRegister({ now, inputLimits }: Options) {
  const realms = new Map<string, Realm>()
  const seatsOf = new Map<string, Set<Seat>>()
  const open = new Set<Realm>()

  function index(seat: Seat): void {
    const known = seatsOf.get(seat.owner.key)
    if (known) known.add(seat)
    else seatsOf.set(seat.owner.key, new Set([seat]))
  }

  function isOpen(realm: Realm): boolean {
    if (realm.seats.size >= playersPerRealm || now() - realm.openedAt > opensForMs) return false
    for (const seat of realm.seats.values()) if (seat.deepest > deepestToJoin) return false
    return true
  }

  return {
    all: (): Iterable<Realm> => realms.values(),

    find: (id: string): Realm | undefined => realms.get(id),

    /** Takes in a realm in which nobody sits yet. Others may join it if it is new and open. */
    add(fields: Pick<Realm, 'id' | 'mode' | 'event' | 'seed' | 'openedAt' | 'world'>, isNew: boolean): Realm {
      const realm: Realm = {
        ...fields,
        seats: new Map(),
        commands: 0,
        snapshotCommands: 0,
        unwritten: makeUnwritten(isNew),
        paying: Promise.resolve(),
        awake: new Set(),
      }
      realms.set(realm.id, realm)
      if (isNew && realm.mode === 'open') open.add(realm)
      return realm
    },

    /** Gives somebody a seat. */
    seat(realm: Realm, player: number, owner: SeatOwner): Seat {
      const seat: Seat = {
        owner,
        realm,
        player,
        messages: [],
        isPushed: false,
        viewers: new Set(),
        inputs: makeTokenBucket(inputLimits, now),
        freeInputs: 0,
        keys: 0,
        isHere: true,
        isOver: false,
        isWatchable: true,
        badges: [],
        deepest: 1,
        paidDepth: 1,
        credits: 0,
        lastAt: now(),
        limits: undefined,
        death: undefined,
        holder: undefined,
      }
      realm.seats.set(player, seat)
      index(seat)
      return seat
    },

    /** Takes a realm out of memory. */
    remove(realm: Realm): void {
      realms.delete(realm.id)
      open.delete(realm)
      for (const seat of realm.seats.values()) {
        const known = seatsOf.get(seat.owner.key)
        known?.delete(seat)
        if (known?.size === 0) seatsOf.delete(seat.owner.key)
      }
    },

    /** Takes a realm in again as it was when it was taken out; nobody new joins it. */
    putBack(realm: Realm): void {
      realms.set(realm.id, realm)
      for (const seat of realm.seats.values()) index(seat)
    },

    /** The life that an account was last at. */
    findLife(account: string, mode: Mode | undefined): Seat | undefined {
      let latest: Seat | undefined
      for (const seat of seatsOf.get(account) ?? []) {
        if (seat.isOver || (mode && seat.realm.mode !== mode)) continue
        if (!latest || seat.lastAt > latest.lastAt) latest = seat
      }
      return latest
    },

    /** A realm that an account may join: a new life is lived where its player has not died before. */
    findOpen(account: string): Realm | undefined {
      for (const realm of open) {
        if (!isOpen(realm)) open.delete(realm)
        else if (![...realm.seats.values()].some(({ owner }) => owner.key === account)) return realm
      }
      return undefined
    },
  }
}
