import { TokenBucket } from '../../src/http/token-bucket.ts'
import type { Mode } from '../protocol/dungeon.ts'
import { makeUnwritten, type Realm, type Session, type SessionOwner } from './realm.ts'

/** Each pile of loot in the core has a bit mask of players, with 16 bits. */
const playersPerRealm = 16
/** Players who come later get a new realm, because the others have left the upper levels of this one. */
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

    /** Adds a realm that has no sessions yet. Other players may join it if it is new and of mode `open`. */
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

    /** Adds a session for one player of a realm. */
    addSession(realm: Realm, player: number, owner: SessionOwner): Session {
      const session: Session = {
        owner,
        realm,
        player,
        messages: [],
        isPushed: false,
        viewers: new Set(),
        inputs: new TokenBucket(inputLimits, now),
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
      // A realm that was lost to another host may have been loaded again meanwhile, as another object.
      if (realms.get(realm.id) === realm) realms.delete(realm.id)
      open.delete(realm)
      for (const session of realm.sessions.values()) {
        const known = sessionsOf.get(session.owner.key)
        known?.delete(session)
        if (known?.size === 0) sessionsOf.delete(session.owner.key)
      }
    },

    /** Adds a removed realm again, unchanged; new players cannot join it. */
    putBack(realm: Realm): void {
      realms.set(realm.id, realm)
      for (const session of realm.sessions.values()) index(session)
    },

    /** The life that an account played last, limited to a mode and to an event where these are given. */
    findLife(account: string, mode?: Mode, event?: string): Session | undefined {
      let latest: Session | undefined
      for (const session of sessionsOf.get(account) ?? []) {
        const { realm, isOver } = session
        if (isOver || (mode && realm.mode !== mode) || (event !== undefined && realm.event !== event)) continue
        if (!latest || session.lastAt > latest.lastAt) latest = session
      }
      return latest
    },

    /** Whether an account has or had a life in this daily dungeon or cup, among the realms in memory. */
    hasLived(account: string, mode: Mode, event: string): boolean {
      for (const { realm } of sessionsOf.get(account) ?? [])
        if (realm.mode === mode && realm.event === event) return true
      return false
    },

    /** A realm in which an account may begin a life: one in which it has had none before. */
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
