import { deflateRawSync } from 'node:zlib'
import { type Log, toLogText } from '../../src/core/log.ts'
import { AnswerLost } from '../../src/storage/answer-lost.ts'
import { saveWorld } from '../core/save-world.ts'
import { isRefusal } from '../storage/is-refusal.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import { makeUnwritten, type Realm, type Reward } from './realm.ts'
import { type Part, type Snapshot, writeParts } from './write-parts.ts'

/** What a crash may take of a host that is alone; nothing, where there are several: there no key is answered before. */
const batchMs = 200
/** What waits for an answer is gathered for so long: a batch costs more than what is in it. */
const answerMs = 10
const retryMs = 1000
const commandsPerSnapshot = 250
/** A snapshot takes a millisecond of everybody's time, so that a batch has few. */
const snapshotsPerBatch = 3

interface Options {
  readonly db: GameDatabase
  readonly log: Log
  readonly now: () => number
  /** Pays what is due, once what earned it is on disk. */
  readonly pay: (rewards: readonly Reward[]) => Promise<void>
  /** This host, where there may be several: each write asks whether the realm is still its own. */
  readonly owner?: string | undefined
  /** Told of a realm that another host plays by now. */
  readonly onLost?: (realm: Realm) => void
  /** Told of a realm whose end is on disk. */
  readonly onClosed?: (realm: Realm) => void
}

/** Writes down what happens in realms: in batches, each whole or not at all. */
export function makeLogKeeper({ db, log, now, pay, owner, onLost, onClosed }: Options) {
  const changed = new Set<Realm>()
  let timer: NodeJS.Timeout | undefined
  let answer: NodeJS.Timeout | undefined
  let hasFailed = false
  /** Each write tells which realms could not be written. */
  let last: Promise<readonly Realm[]> = Promise.resolve([])
  let next: Promise<readonly Realm[]> | undefined

  function schedule(ms: number): void {
    timer ??= setTimeout(() => void flush(), ms)
  }

  /** One write at a time, in order: a batch that failed is put back before the next one is taken. */
  function enqueue(takeParts: () => Part[]): Promise<readonly Realm[]> {
    last = last.then(() => write(takeParts()))
    return last
  }

  function takePart(realm: Realm, isFrozen: boolean, hasSnapshot: boolean): Part {
    const { unwritten } = realm
    realm.unwritten = makeUnwritten(false)
    const first = realm.commands - unwritten.commands.length
    // The next start asks what is owed only of realms that do not rest.
    return { realm, unwritten, first, hasSnapshot, isFrozen: isFrozen && realm.owed.size === 0 }
  }

  function takeBatch(): Part[] {
    let snapshots = 0
    const parts = [...changed].map((realm) => {
      const isDue = realm.commands - realm.snapshotCommands >= commandsPerSnapshot && !realm.unwritten.isClosed
      const hasSnapshot = isDue && snapshots++ < snapshotsPerBatch
      return takePart(realm, false, hasSnapshot)
    })
    changed.clear()
    return parts
  }

  async function write(parts: readonly Part[]): Promise<readonly Realm[]> {
    if (parts.length === 0) return []
    // States are taken before anything is awaited: the worlds go on meanwhile.
    const snapshots = new Map<Realm, Snapshot>()
    for (const { realm, hasSnapshot } of parts)
      if (hasSnapshot) snapshots.set(realm, { commands: realm.commands, state: deflateRawSync(saveWorld(realm.world)) })
    return carryOut(parts, snapshots)
  }

  async function carryOut(parts: readonly Part[], snapshots: ReadonlyMap<Realm, Snapshot>): Promise<readonly Realm[]> {
    let lost: ReadonlySet<Realm>
    try {
      lost = await writeParts(db, parts, snapshots, { at: now(), owner })
    } catch (error) {
      if (parts.length > 1 && isRefusal(error)) {
        const failed: Realm[] = []
        for (const part of parts) failed.push(...(await carryOut([part], snapshots)))
        hasFailed = failed.length === parts.length
        return failed
      }
      const realms = parts.map(({ realm }) => realm)
      const where = realms.length === 1 ? `realm ${realms[0]?.id}` : `${realms.length} realms`
      log('server.error', { error: toLogText(new Error(`${where} could not be written`, { cause: error })) })
      hasFailed = true
      for (const part of parts) putBack(part, error instanceof AnswerLost)
      schedule(retryMs)
      return realms
    }
    hasFailed = false
    for (const { realm, unwritten, first } of parts) {
      if (lost.has(realm)) {
        lose(realm)
        continue
      }
      realm.snapshotCommands = snapshots.get(realm)?.commands ?? realm.snapshotCommands
      realm.written = first + unwritten.commands.length
      if (unwritten.rewards.length > 0) realm.paying = realm.paying.then(() => pay(unwritten.rewards))
      tellWritten(realm)
      if (unwritten.isClosed) onClosed?.(realm)
    }
    return []
  }

  function tellWritten({ waiting, written }: Realm): void {
    while (waiting[0] && waiting[0].commands <= written) waiting.shift()?.tell(true)
  }

  function lose(realm: Realm): void {
    if (realm.isLost) return
    realm.isLost = true
    changed.delete(realm)
    onLost?.(realm)
    for (const { tell } of realm.waiting.splice(0)) tell(false)
  }

  function putBack({ realm, unwritten }: Part, isDoubted: boolean): void {
    const later = realm.unwritten
    realm.unwritten = {
      isNew: unwritten.isNew,
      commands: [...unwritten.commands, ...later.commands],
      sessions: [...unwritten.sessions, ...later.sessions],
      claimed: [...unwritten.claimed, ...later.claimed],
      lives: [...unwritten.lives, ...later.lives],
      rewards: [...unwritten.rewards, ...later.rewards],
      isClosed: unwritten.isClosed || later.isClosed,
      isDoubted: unwritten.isDoubted || isDoubted,
    }
    changed.add(realm)
  }

  /** Writes at once; tells which realms could not be written, which is tried again. */
  function flush(): Promise<readonly Realm[]> {
    // Everybody who asks while one batch is being written shares the next one.
    next ??= enqueue(() => {
      next = undefined
      clearTimeout(timer)
      clearTimeout(answer)
      timer = undefined
      answer = undefined
      return takeBatch()
    })
    return next
  }

  return {
    /** The realm has something unwritten; it is on disk a moment later. */
    remember(realm: Realm): void {
      if (realm.isLost) return
      changed.add(realm)
      schedule(batchMs)
    },
    flush,
    /**
     * Tells when all that has happened in a realm until now is on disk; false when another host has the realm. A host
     * that is alone says so at once, and writes a moment later.
     */
    whenWritten(realm: Realm, tell: (isKept: boolean) => void): void {
      if (owner === undefined || realm.isLost || realm.written >= realm.commands) tell(!realm.isLost)
      else {
        realm.waiting.push({ commands: realm.commands, tell })
        // What failed is tried again in its own time.
        if (!hasFailed) answer ??= setTimeout(() => void flush(), answerMs)
      }
    },
    /**
     * Writes realms with their whole state, everything paid; `isFrozen` when they leave the memory. Tells which of them
     * could not be written.
     */
    async keepWhole(realms: readonly Realm[], { isFrozen }: { isFrozen: boolean }): Promise<readonly Realm[]> {
      const failed = new Set(await flush())
      const sound = realms.filter((realm) => !failed.has(realm))
      await Promise.all(sound.map((realm) => realm.paying))
      const unkept = await enqueue(() => {
        // Of what has ended nobody will ask for the state; only what came since the flush is to be written.
        const parts = sound.filter((realm) => !realm.isClosed || changed.has(realm))
        for (const realm of parts) changed.delete(realm)
        return parts.map((realm) => takePart(realm, isFrozen && !realm.isClosed, !realm.isClosed))
      })
      return [...realms.filter((realm) => failed.has(realm)), ...unkept]
    },
    /** How many commands are not on disk yet. */
    lag(): number {
      let commands = 0
      for (const realm of changed) commands += realm.unwritten.commands.length
      return commands
    },
  }
}

export type LogKeeper = ReturnType<typeof makeLogKeeper>
