import { deflateRawSync } from 'node:zlib'
import { type Log, toLogText } from '../../src/core/log.ts'
import { AnswerLost } from '../../src/storage/answer-lost.ts'
import { saveWorld } from '../core/save-world.ts'
import { isRefusal } from '../storage/is-refusal.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'
import { makeUnwritten, type Realm, type Reward } from './realm.ts'
import { type Part, type Snapshot, writeParts } from './write-parts.ts'

/** How long writes are gathered. A crash of a single host may lose as much; several hosts answer keys once written. */
const batchMs = 200
/** How long writes are gathered while players wait for their answers: a batch costs more than the rows in it. */
const answerMs = 10
const retryMs = 1000
const commandsPerSnapshot = 250
/** A snapshot blocks the event loop for about a millisecond, so each batch has only a few. */
const snapshotsPerBatch = 3

interface Options {
  readonly db: GameDatabase
  readonly log: Log
  readonly now: () => number
  /** Pays rewards; called once the commands that earned them are on disk. */
  readonly pay: (rewards: readonly Reward[]) => Promise<void>
  /** The id of this host, where several share the database: each write checks that it still owns the realm. */
  readonly owner?: string | undefined
  /** Called when another host has taken over a realm. */
  readonly onLost?: (realm: Realm) => void
  /** Called when the end of a realm is on disk. */
  readonly onClosed?: (realm: Realm) => void
}

/** Writes the commands, lives and snapshots of realms in batches, each in one transaction, and retries what failed. */
export function makeLogKeeper({ db, log, now, pay, owner, onLost, onClosed }: Options) {
  const changed = new Set<Realm>()
  let timer: NodeJS.Timeout | undefined
  let answer: NodeJS.Timeout | undefined
  let hasFailed = false
  /** The write that was started last, with the realms that it could not write. */
  let last: Promise<readonly Realm[]> = Promise.resolve([])
  let next: Promise<readonly Realm[]> | undefined
  /** Commands of the batch that is being written. */
  let beingWritten = 0

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
    // Not marked as frozen while rewards are owed: the next start pays debts only of realms that are not frozen.
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
    // Snapshots are taken before anything is awaited, because play goes on in these worlds meanwhile.
    const snapshots = new Map<Realm, Snapshot>()
    for (const { realm, hasSnapshot } of parts)
      if (hasSnapshot) snapshots.set(realm, { commands: realm.commands, state: deflateRawSync(saveWorld(realm.world)) })
    beingWritten = parts.reduce((sum, { unwritten }) => sum + unwritten.commands.length, 0)
    try {
      return await carryOut(parts, snapshots)
    } finally {
      beingWritten = 0
    }
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

  /** Writes at once; resolves to the realms that could not be written, which are tried again later. */
  function flush(): Promise<readonly Realm[]> {
    // All callers that ask while a batch is being written share the next batch.
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
    /** Notes that a realm has something unwritten, and schedules its write. */
    remember(realm: Realm): void {
      if (realm.isLost) return
      changed.add(realm)
      schedule(batchMs)
    },
    flush,
    /**
     * Calls `tell` once everything that has happened in a realm until now is on disk; with false when another host has
     * the realm. A single host calls it at once and writes a moment later.
     */
    whenWritten(realm: Realm, tell: (isKept: boolean) => void): void {
      if (owner === undefined || realm.isLost || realm.written >= realm.commands) tell(!realm.isLost)
      else {
        realm.waiting.push({ commands: realm.commands, tell })
        // After a failure the retry timer decides when to write next.
        if (!hasFailed) answer ??= setTimeout(() => void flush(), answerMs)
      }
    },
    /**
     * Writes realms with a snapshot each, once their rewards are paid or put off; `isFrozen` when they leave the
     * memory. Resolves to the realms that could not be written.
     */
    async keepWhole(realms: readonly Realm[], { isFrozen }: { isFrozen: boolean }): Promise<readonly Realm[]> {
      const failed = new Set(await flush())
      const sound = realms.filter((realm) => !failed.has(realm))
      await Promise.all(sound.map((realm) => realm.paying))
      const unkept = await enqueue(() => {
        // A closed realm needs no snapshot; it is written only if something came since the flush.
        const parts = sound.filter((realm) => !realm.isClosed || changed.has(realm))
        for (const realm of parts) changed.delete(realm)
        return parts.map((realm) => takePart(realm, isFrozen && !realm.isClosed, !realm.isClosed))
      })
      return [...realms.filter((realm) => failed.has(realm)), ...unkept]
    },
    /** How many commands are not on disk yet. */
    lag(): number {
      let commands = beingWritten
      for (const realm of changed) commands += realm.unwritten.commands.length
      return commands
    },
  }
}

export type LogKeeper = ReturnType<typeof makeLogKeeper>
