// `npm run operator`: what the operator may do. The game's orders go to the running game host of this data folder.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { operatorSecretFile } from '../../game-server/api/operator-secret-file.ts'
import { type Config, readConfig } from '../config/config.ts'
import { toSaidText } from '../core/said-text.ts'
import { makeOauthRecords } from '../oauth/oauth-records.ts'
import { openOauthDatabase } from '../oauth/open-oauth-database.ts'
import { makeSignInLinks } from '../oauth/sign-in-links.ts'
import { openLedgerDatabase } from '../storage/open-ledger-database.ts'
import { readSecret } from '../storage/read-secret.ts'
import { readWalletData } from './wallet-data.ts'

const help = `npm run operator -- ORDER

  kick NAME [--minutes N]      sends a player away (60 minutes)
  mute NAME [--minutes N]      keeps a player from talking (60 minutes)
  reserve NAME [--minutes N]   keeps a name from being taken (ten years)
  announce TEXT                says something to everybody
  metrics                      how the game is doing

  wallet ADDRESS               all that the books hold of a wallet, as JSON, for whoever asks for their own

  sign-in                      prints a link that lets a program act for you (see the README)
  sign-out                     takes back what every program was given

  --minutes 0 lifts an earlier order. For the game's orders its host must be running on this machine.`

const answerSchema = z.looseObject({
  detail: z.string().optional(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
})
const waitMs = 10_000

/** @throws Error of one sentence when the game host is not there or refuses */
async function give(order: object): Promise<string> {
  const { dataDir, gamePort } = readConfig(process.env)
  const secretFile = operatorSecretFile(resolve(dataDir))
  if (!existsSync(secretFile)) throw new Error(`no game host has run with the data folder ${dataDir}; set DATA_DIR`)
  const response = await fetch(`http://127.0.0.1:${gamePort}/api/operator`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${readSecret(secretFile)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(order),
    signal: AbortSignal.timeout(waitMs),
  }).catch((cause: unknown) => {
    throw new Error(`no game host answers on port ${gamePort}; start it, or set GAME_PORT`, { cause })
  })
  const answer = answerSchema.parse(await response.json())
  if (response.ok)
    return Object.entries(answer)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join('\n')
  if (response.status === 404) throw new Error('the game host does not know this data folder; set DATA_DIR to its own')
  const faults = answer.errors?.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`).join('\n')
  throw new Error(faults ?? answer.detail ?? `the game host answered ${response.status}`)
}

const addressPattern = /^0x[0-9a-fA-F]{40}$/

/** @throws Error of one sentence when it is no address */
async function tellOfWallet({ dataDir }: Pick<Config, 'dataDir'>, address: string): Promise<string> {
  if (!addressPattern.test(address)) throw new Error('give the address of one wallet: 0x and 40 hexadecimal digits')
  const db = await openLedgerDatabase(join(resolve(dataDir), 'ledger.db'))
  try {
    return JSON.stringify(await readWalletData(db, address), null, 2)
  } finally {
    await db.destroy()
  }
}

type Place = Pick<Config, 'baseUrl' | 'dataDir'>

async function withRecords<Result>(
  { dataDir }: Place,
  use: (records: ReturnType<typeof makeOauthRecords>) => Promise<Result>,
): Promise<Result> {
  const db = await openOauthDatabase(join(resolve(dataDir), 'oauth.db'))
  try {
    return await use(makeOauthRecords({ db, now: Date.now }))
  } finally {
    await db.destroy()
  }
}

/** A link that lets the operator agree, once, in the browser where a program asks. */
const printSignInLink = (place: Place): Promise<string> =>
  withRecords(place, async (records) => {
    const link = await makeSignInLinks({ records, baseUrl: place.baseUrl, now: Date.now }).make()
    return `${link}\n\nOpen it within 10 minutes in the browser where a program asks to act for you. It works once.`
  })

/** Takes back what every program was given. */
const signOutEverywhere = (place: Place): Promise<string> =>
  withRecords(place, async (records) => {
    const count = await records.forgetAll()
    return `programs that acted for you: ${count}. None does any more.`
  })

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: 'string' }, help: { type: 'boolean' } },
  })
  const [order, ...words] = positionals
  if (values.help || order === undefined) console.log(help)
  else if (order === 'wallet') console.log(await tellOfWallet(readConfig(process.env), words.join(' ')))
  else if (order === 'sign-in') console.log(await printSignInLink(readConfig(process.env)))
  else if (order === 'sign-out') console.log(await signOutEverywhere(readConfig(process.env)))
  else {
    const subject = words.join(' ')
    const minutes = values.minutes === undefined ? {} : { minutes: Number(values.minutes) }
    const about = subject === '' ? {} : order === 'announce' ? { text: subject } : { player: subject }
    console.log(await give({ order, ...about, ...minutes }))
  }
} catch (error) {
  console.error(toSaidText(error))
  process.exit(1)
}
