import { makeTokenBucket } from '../../src/http/token-bucket.ts'
import type { Mode } from '../protocol/dungeon.ts'
import { makeUnwritten, type Realm, type Session, type SessionOwner } from './realm.ts'

/** The core tells players apart by 16 bits on every pile of loot. */
const playersPerRealm = 16
/** Who comes later would find the upper levels emptied of company, and gets a realm of their own. */
const opensForMs = 30 * 60_000
const deepestToJoin = 3

interface Options {
  readonly now: () => number
  readonly inputLimits: { readonly perSecond: number; readonly burst: number }
}

/** The realms in memory, and who plays in them. */
export function makeRealmRegister({ now, inputLimits }: Options) {
  const realms = new Map<string, Realm>()
  const sessionsOf = new Map<string, Set<Session>>()
  const open = new Set<Realm>()

  function index(session: Session): void {
    const known = sessionsOf.get(session.owner.key)
    if (known) known.add(session)
    else sessionsOf.set(session.owner.key, new Set([session]))
  }

  function isOpen(realm: Realm): boolean {
    if (realm.isClosed || realm.sessions.size >= playersPerRealm || now() - realm.openedAt > opensForMs) return false
    for (const session of realm.sessions.values()) if (session.deepest > deepestToJoin) return false
    return true
  }

  return {
    all: (): Iterable<Realm> => realms.values(),

    find: (id: string): Realm | undefined => realms.get(id),

    /** Takes in a realm in which nobody plays yet. Others may join it if it is new and open. */
    add(fields: Pick<Realm, 'id' | 'mode' | 'event' | 'seed' | 'openedAt' | 'world'>, isNew: boolean): Realm {
      const realm: Realm = {
        ...fields,
        sessions: new Map(),
        commands: 0,
        snapshotCommands: 0,
        unwritten: makeUnwritten(isNew),
        written: 0,
        waiting: [],
        fence: 1,
        isLost: false,
        isClosed: false,
        paying: Promise.resolve(),
        owed: new Set(),
        awake: new Set(),
      }
      realms.set(realm.id, realm)
      if (isNew && realm.mode === 'open') open.add(realm)
      return realm
    },

    /** Begins somebody's session. */
    addSession(realm: Realm, player: number, owner: SessionOwner): Session {
      const session: Session = {
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
        leftAt: 0,
        limits: undefined,
        death: undefined,
        holder: undefined,
      }
      realm.sessions.set(player, session)
      index(session)
      return session
    },

    /** Takes a realm out of memory. */
    remove(realm: Realm): void {
      // One that was lost may have come back meanwhile as another.
      if (realms.get(realm.id) === realm) realms.delete(realm.id)
      open.delete(realm)
      for (const session of realm.sessions.values()) {
        const known = sessionsOf.get(session.owner.key)
        known?.delete(session)
        if (known?.size === 0) sessionsOf.delete(session.owner.key)
      }
    },

    /** Takes a realm in again as it was when it was taken out; nobody new joins it. */
    putBack(realm: Realm): void {
      realms.set(realm.id, realm)
      for (const session of realm.sessions.values()) index(session)
    },

    /** The life that an account was last at; of a mode, and of an event, where they are given. */
    findLife(account: string, mode?: Mode, event?: string): Session | undefined {
      let latest: Session | undefined
      for (const session of sessionsOf.get(account) ?? []) {
        const { realm, isOver } = session
        if (isOver || (mode && realm.mode !== mode) || (event !== undefined && realm.event !== event)) continue
        if (!latest || session.lastAt > latest.lastAt) latest = session
      }
      return latest
    },

    /** Whether an account has had a life of a day or a cup. */
    hasLived(account: string, mode: Mode, event: string): boolean {
      for (const { realm } of sessionsOf.get(account) ?? [])
        if (realm.mode === mode && realm.event === event) return true
      return false
    },

    /** A realm that an account may join: a new life is lived where its player has not died before. */
    findOpen(account: string): Realm | undefined {
      for (const realm of open) {
        if (!isOpen(realm)) open.delete(realm)
        else if (![...realm.sessions.values()].some(({ owner }) => owner.key === account)) return realm
      }
      return undefined
    },
  }
}

export type RealmRegister = ReturnType<typeof makeRealmRegister>
