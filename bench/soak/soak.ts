import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { startMoney } from '../../tests/support/money.ts'
import { withSection } from '../kept-section.ts'
import { compareBooks, waitForBooks } from './books.ts'
import { readSoakOptions, type SoakOptions } from './options.ts'
import { play } from './player.ts'
import { makePublisher } from './publish.ts'
import { type OpenRecord, openRecord } from './record.ts'
import { makeBuyers } from './sales.ts'
import { readMemory } from './sample-memory.ts'
import { openShop, programNames, type Shop } from './shop.ts'
import { summarize } from './summary.ts'
import { makeVisits } from './visits.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = join(root, 'docs/performance.md')
/** Shorter runs are not written into the document. */
const documentedMinutes = 120
const sampleEverySeconds = 10
const minuteMs = 60_000
/** The type of tmpfs (statfs(2)): in memory nothing is durable, and syncing costs no time. */
const tmpfs = 0x01021994

/**
 * Puts load on a live shop for hours; returns the exit code. The record is written to `--out` every minute, so that it
 * survives a crash.
 */
export async function soak(args: readonly string[]): Promise<number> {
  const options = readSoakOptions(args)
  const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node.js ${process.version}`
  const folder = mkdtempSync(join(root, '.data-bench-'))
  rmSync(options.out, { recursive: true, force: true })
  mkdirSync(options.out, { recursive: true })
  const payTo = privateKeyToAddress(generatePrivateKey())
  const money = await startMoney()
  try {
    if (statfsSync(folder).type === tmpfs) throw new Error(`${folder} is in memory; a shop is kept on a disk`)
    console.log(
      `soak: builds the shop, narrates its posts and starts it, then ${options.minutes} minutes; record in ${options.out}`,
    )
    const notes = openRecord(options.minutes, machine, (line) => console.error(`soak: ${line}`))
    const shop = await openShop({ folder, money, payTo, logs: options.out }, notes)
    const buyers = makeBuyers({ fronts: shop.fronts, payTo, money }, notes)
    await putUnderLoad(shop, buyers, options, notes)
    await waitForBooks(shop.dataDir)
    await shop.close()
    for (const fault of await compareBooks({ ...shop, money, payTo, sold: buyers.sold })) notes.fail(fault)
    const { text, passed } = write(notes, options)
    if (notes.record.isOver && options.minutes >= documentedMinutes)
      writeFileSync(page, withSection(readFileSync(page, 'utf8'), 'soak', text))
    console.log(`\n${text}\nsoak: ${passed ? 'passed' : 'FAILED'}`)
    return passed ? 0 : 1
  } finally {
    await money.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs the load from the first visitor to the last response; an interrupt ends it early. */
async function putUnderLoad(
  shop: Shop,
  buyers: ReturnType<typeof makeBuyers>,
  options: SoakOptions,
  notes: OpenRecord,
): Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  const stop = () => ending.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
  notes.begin()
  const visit = makeVisits(shop.fronts, notes)
  const publish = makePublisher(shop, notes)
  const restart = async () => {
    for (const name of programNames) if (!signal.aborted) await shop.restart(name)
  }
  const wholeMs = options.minutes * minuteMs
  const restartMs = options.restartEvery * minuteMs
  const buildMs = options.buildEvery * minuteMs
  /** Records an error of the load itself as a failure, and lets the rest continue. */
  const noting = (what: string, run: () => Promise<void>) => () =>
    run().catch((error: unknown) => notes.fail(`${what}: ${String(error)}`))
  const activities = [
    atPace(1000 / options.requestsPerSecond, noting('a visit', visit), signal),
    atPace(options.secondsPerSale * 1000, noting('a purchase', buyers.buyCheap), signal),
    atPace(options.mediaEvery * minuteMs, noting('a purchase', buyers.buyMedia), signal),
    // No restart at the very end, when there is no load after it.
    inTurn(
      { everyMs: restartMs, firstMs: restartMs, times: Math.ceil(wholeMs / restartMs) - 1 },
      noting('a restart', restart),
      signal,
    ),
    // Builds are offset by half a period, so that they fall between restarts.
    inTurn(
      { everyMs: buildMs, firstMs: buildMs / 2, times: Math.round(wholeMs / buildMs) },
      noting('a build', publish),
      signal,
    ),
    noting('the player', () => play(shop.gamePort, notes, signal))(),
    atPace(
      sampleEverySeconds * 1000,
      noting('a look at memory', async () => sample(shop, notes)),
      signal,
    ),
    atPace(
      minuteMs,
      noting('the record', async () => {
        shop.readLogs()
        write(notes, options)
      }),
      signal,
    ),
  ]
  await delay(wholeMs, undefined, { signal }).catch(() => undefined)
  notes.record.isOver = !signal.aborted
  ending.abort()
  await Promise.all(activities)
  notes.record.seconds = notes.second()
}

/** Starts `run` at a steady pace, whether or not earlier runs have ended; waits for all of them at the end. */
async function atPace(everyMs: number, run: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const underWay = new Set<Promise<void>>()
  for (let due = performance.now() + everyMs; ; due += everyMs) {
    await delay(Math.max(0, due - performance.now()), undefined, { signal }).catch(() => undefined)
    if (signal.aborted) break
    const running = run().finally(() => underWay.delete(running))
    underWay.add(running)
  }
  await Promise.all(underWay)
}

interface Beats {
  readonly everyMs: number
  readonly firstMs: number
  readonly times: number
}

/** Runs `run` at each beat, and skips beats that pass while it is still running. */
async function inTurn(
  { everyMs, firstMs, times }: Beats,
  run: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const from = performance.now()
  for (let time = 0; time < times; time++) {
    const leftMs = from + firstMs + time * everyMs - performance.now()
    if (leftMs < 0) continue
    await delay(leftMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    await run()
  }
}

function sample(shop: Shop, { record, second }: OpenRecord): void {
  const watched = [...shop.processes(), { program: 'load', life: 1, pid: process.pid }]
  for (const { program, life, pid } of watched) {
    const memory = readMemory(pid)
    if (memory) record.memory.push({ second: second(), program, life, ...memory })
  }
  record.seconds = second()
}

function write({ record }: OpenRecord, options: SoakOptions) {
  const summary = summarize(record, options)
  writeFileSync(join(options.out, 'soak.json'), JSON.stringify(record))
  writeFileSync(join(options.out, 'summary.md'), summary.text)
  return summary
}
