// `npm run cup -- open|close|status`: the operator's tool for Agent Cups.

import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { closeCup } from '../../game-server/cup/close-cup.ts'
import { openCup } from '../../game-server/cup/open-cup.ts'
import { openGameDatabase } from '../../game-server/storage/open-game-database.ts'
import { type Config, readConfig } from '../config/config.ts'
import { toSaidText } from '../core/said-text.ts'
import { toCupScope } from '../payments/ledger/grants.ts'
import { type LedgerDatabase, openLedgerDatabase } from '../storage/open-ledger-database.ts'
import { assertHasLedger } from './assert-has-ledger.ts'

const help = `npm run cup -- open [--hours N]    opens the next cup for N hours (168), and prints its commitment: the SHA-256 of the
                                   seed, which proves later that the seed was chosen before anybody played
npm run cup -- close               ends the open cup now, verifies every run and publishes the seed
npm run cup -- status              lists the cups

The game host may be running or not. A running host closes a cup by itself when its time is over.
A cup is played to its end by the rules of the version that opened it, even if you upgrade meanwhile.`

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>

/** How long to wait for a running host, which ends the runs and closes the cup within seconds. */
const waitForHostMs = 6000

const report = (error: unknown): void => console.error(toSaidText(error))

const findUnverified = (db: LedgerDatabase) =>
  db.selectFrom('cup').selectAll().where('verified_at', 'is', null).executeTakeFirst()

async function open(db: LedgerDatabase, hours: number): Promise<void> {
  const { id, commitment, closesAt } = await openCup(db, { hours, now: Date.now() })
  console.log(`${id} is open until ${new Date(closesAt).toISOString()}`)
  console.log(`commitment ${commitment}`)
}

async function close(db: LedgerDatabase, { dataDir, databaseUrl }: Place): Promise<void> {
  const cup = await findUnverified(db)
  if (!cup) throw new Error('no cup is open')
  await db
    .updateTable('cup')
    .set({ closes_at: Date.now() })
    .where('number', '=', cup.number)
    .where('closes_at', '>', Date.now())
    .execute()
  console.log('the cup is closed; the last runs are being ended, and all are being verified')
  const until = Date.now() + waitForHostMs
  while ((await findUnverified(db)) && Date.now() < until) await delay(500)
  if (await findUnverified(db)) {
    const gameDb = await openGameDatabase(join(resolve(dataDir), 'game.db'), databaseUrl())
    await closeCup({ db, gameDb, now: Date.now, report }, cup.number)
    await gameDb.destroy()
  }
  await status(db)
}

async function status(db: LedgerDatabase): Promise<void> {
  const cups = await db.selectFrom('cup').selectAll().orderBy('number').execute()
  if (cups.length === 0) console.log('there has been no cup yet')
  for (const { number, state, commitment, seed, verified_at, closes_at } of cups) {
    const runs = await db.selectFrom('cup_run').select('player_key').where('cup', '=', number).execute()
    console.log(`${toCupScope(number)}  ${state}, ${runs.length} runs, until ${new Date(closes_at).toISOString()}`)
    console.log(`  commitment ${commitment}`)
    if (verified_at === null) continue
    console.log(`  seed       ${seed}`)
    const standings = await db
      .selectFrom('cup_standing')
      .select(['place', 'name', 'refusal'])
      .where('cup', '=', number)
      .orderBy('place')
      .execute()
    for (const { place, name, refusal } of standings)
      console.log(place === null ? `  refused    ${name}: ${refusal}` : `  ${String(place).padStart(3)}.       ${name}`)
  }
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { hours: { type: 'string', default: '168' }, help: { type: 'boolean', default: false } },
  })
  const [command, ...more] = positionals
  const hours = Number(values.hours)
  if (values.help || command === undefined || !['open', 'close', 'status'].includes(command)) {
    console.log(help)
    process.exitCode = values.help ? 0 : 2
    return
  }
  if (more.length > 0) throw new Error(`${command} takes nothing beside its options, not ${more.join(' ')}`)
  if (!(hours >= 1 && hours <= 8760)) throw new Error('--hours must be a number from 1 to 8760')
  const config = readConfig(process.env)
  assertHasLedger(config)
  const db = await openLedgerDatabase(join(resolve(config.dataDir), 'ledger.db'), config.databaseUrl())
  try {
    if (command === 'open') await open(db, hours)
    else if (command === 'close') await close(db, config)
    else await status(db)
  } finally {
    await db.destroy()
  }
}

try {
  await main()
} catch (error) {
  console.error(toSaidText(error))
  process.exitCode = 1
}
