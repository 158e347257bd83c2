import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { usualWholeMs } from '../../src/http/shutdown.ts'
import { hasLeft, makeOwner } from '../../src/storage/lease-owner.ts'
import { hasCode } from '../../src/storage/write-atomically.ts'

/** A little longer than the shutdown of a host may take. */
const usualWaitMs = usualWholeMs + 3_000
const askAgainMs = 100

const holderSchema = z.object({ owner: z.string(), pid: z.number(), host: z.string(), since: z.string() })

/** The exclusive lock on a data folder, held by its one game host. */
export interface GameHold {
  /** Announces that this host is stopping: a host that starts from now on waits for the lock and does not fail. */
  leave(): void
  /** Releases the lock; call it once everything is written. */
  release(): void
}

interface Options {
  /** How long to wait for a host that is stopping, in milliseconds. */
  readonly waitMs?: number
  /** Called once when this host begins to wait for another one. */
  readonly note?: (text: string) => void
}

/**
 * Makes this process the one game host of a data folder. Two would each keep the same worlds in memory and overwrite
 * each other's data. The lock is SQLite's lock on a file, which the operating system releases however a process ends.
 * A file beside it names the holder, from the start of a host until it begins to stop.
 *
 * @throws Error of one sentence that names the other host, or the folder that cannot be written
 */
export async function holdGame(
  dataDir: string,
  { waitMs = usualWaitMs, note = () => {} }: Options = {},
): Promise<GameHold> {
  const nameFile = join(dataDir, 'game-host.json')
  const until = performance.now() + waitMs
  let isNoted = false
  for (;;) {
    const letGo = tryLock(dataDir)
    if (letGo) {
      const leave = () => rmSync(nameFile, { force: true })
      write(nameFile, dataDir)
      return {
        leave,
        release() {
          leave()
          letGo()
        },
      }
    }
    const holder = readHolder(nameFile)
    // The file of a host that died stays until the next holder overwrites it, a moment after it gets the lock.
    if (holder && !hasLeft(holder.owner))
      throw new Error(
        `another game host, process ${holder.pid} on ${holder.host} since ${holder.since}, holds the data folder ${dataDir}; stop it, or set DATA_DIR to another folder`,
      )
    if (performance.now() > until)
      throw new Error(
        `another game host is stopping and still uses the data folder ${dataDir}; start this one when it has stopped`,
      )
    if (!isNoted) note('another game host is stopping; this one starts when it has stopped')
    isNoted = true
    await delay(askAgainMs)
  }
}

/** Takes the lock: a function that releases it, or undefined while another process has it. */
function tryLock(dataDir: string): (() => void) | undefined {
  let db: DatabaseSync | undefined
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const file = join(dataDir, 'game-host.lock')
    makePrivate(file)
    db = new DatabaseSync(file, { timeout: 0 })
    db.exec('begin exclusive')
    const held = db
    return () => held.close()
  } catch (cause) {
    db?.close()
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === sqliteBusy) return undefined
    throw toSentence(cause, dataDir)
  }
}

const sqliteBusy = 5

/** Creates the file for its owner only; SQLite would create it with the permissions that the umask leaves. */
function makePrivate(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

function write(file: string, dataDir: string): void {
  const holder = { owner: makeOwner(), pid: process.pid, host: hostname(), since: new Date().toISOString() }
  try {
    writeFileSync(file, JSON.stringify(holder), { mode: 0o600 })
  } catch (cause) {
    throw toSentence(cause, dataDir)
  }
}

/** Undefined when the file is missing or not complete yet. */
function readHolder(file: string): z.output<typeof holderSchema> | undefined {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

const toSentence = (cause: unknown, dataDir: string): Error =>
  hasCode(cause, 'ENOSPC')
    ? new Error(`the disk of the data folder ${dataDir} is full; free some space`, { cause })
    : new Error(`the data folder ${dataDir} cannot be written; make it writable or set DATA_DIR to another`, { cause })
