// `npm run operator`: the orders of the operator. Orders about the game go to the running game host of this data
// folder.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../config/config.ts'
import { toSaidText } from '../core/said-text.ts'
import { jobTable } from '../jobs/job-table.ts'
import { makeOauthRecords } from '../oauth/oauth-records.ts'
import { openOauthDatabase } from '../oauth/open-oauth-database.ts'
import { makeSignInLinks } from '../oauth/sign-in-links.ts'
import { makeGameOrders } from '../operator/game-orders.ts'
import { assertHasLedger } from './assert-has-ledger.ts'
import { bookOrders, carryOutOrder } from './operator-orders.ts'

const help = `npm run operator -- ORDER

In brackets after each line: what is used when you leave an option out.

  sign-in                      prints a link; open it to sign in at /operator, or to let a program act for you
  sign-out                     ends every session and takes the access of every program away

  sales [--days N]             sales by product, and how often the price was asked (30 days)
  payments                     payments that are open, doubted or reversed, and what to do about each
  refund RECEIPT               says how much to send back and to which wallet; sends and records nothing
  refund RECEIPT TRANSACTION   records what you have sent back, if the chain shows it [--note TEXT]
  refund RECEIPT --note TEXT   records money that you gave back in another way
  csv [--from DAY] [--to DAY] [--out FILE]
                               sales and refunds for your tax return, as CSV (this year, to the terminal)
  jobs                         when each job ran last, how it ended, and when it runs next
  run JOB                      runs a job now (npm run job -- --help lists them)
  storage                      how much space the data takes, what is free, and the backups
  block                        lists who is blocked
  block WALLET|IP [REASON]     sells nothing more to a wallet or an IP address
  unblock WALLET|IP            sells to it again
  mentions                     pages of other sites that mention a post
  mentions approve|refuse ID   shows a mention below its post, or never shows it
  readers [--out FILE]         who gets new posts by e-mail, as CSV (to the terminal)
  readers erase EMAIL          deletes a reader, as if they had unsubscribed
  wallet ADDRESS               everything that is stored about a wallet, as JSON, for owners who ask for it

  kick NAME [--minutes N]      sends a player out of the game and keeps them out (60 minutes)
  mute NAME [--minutes N]      stops a player from talking (60 minutes)
  reserve NAME [--minutes N]   stops everybody from taking a name (ten years)
  announce TEXT                shows a text to everybody who plays or watches
  metrics                      how the game host is doing

A DAY is a UTC day such as 2026-01-31. --minutes 0 ends an earlier kick, mute or reserve. The last five orders need the
game host to be running on this machine; the others work with or without it.`

type Place = Pick<Config, 'baseUrl' | 'dataDir' | 'databaseUrl'>

async function withRecords<Result>(
  { dataDir, databaseUrl }: Place,
  use: (records: ReturnType<typeof makeOauthRecords>) => Promise<Result>,
): Promise<Result> {
  assertHasLedger({ dataDir, databaseUrl })
  const db = await openOauthDatabase(join(resolve(dataDir), 'oauth.db'), databaseUrl())
  try {
    return await use(makeOauthRecords({ db, now: Date.now }))
  } finally {
    await db.destroy()
  }
}

/** Makes a link that signs the operator in, once, in the browser in which it is opened. */
const printSignInLink = (place: Place): Promise<string> =>
  withRecords(place, async (records) => {
    const link = await makeSignInLinks({ records, baseUrl: place.baseUrl, now: Date.now }).make()
    return `${link}\n\nOpen it within 10 minutes, in the browser in which you want to use ${place.baseUrl}/operator or in which a program asks for access. It works once.`
  })

/** Revokes the access of every program and every browser. */
const signOutEverywhere = (place: Place): Promise<string> =>
  withRecords(place, async (records) => {
    const count = await records.forgetAll()
    return `programs that had access: ${count}. All access has been revoked.`
  })

/** Orders that need neither the ledger here nor the game host. */
const ownOrders = new Set(['sign-in', 'sign-out', 'run'])

/** @throws Error where there is no such job */
function readJob(name: string): string {
  if (jobTable.some((job) => job.name === name)) return name
  const fault = name === '' ? 'run needs the name of a job' : `there is no job ${name}`
  throw new Error(`${fault}; npm run job -- --help lists them`)
}

/** The orders to the game host, with the argument that each needs. */
const gameOrders = new Map<string, { readonly needs?: string; readonly options?: readonly string[] }>([
  ['kick', { needs: 'the name of a player', options: ['minutes'] }],
  ['mute', { needs: 'the name of a player', options: ['minutes'] }],
  ['reserve', { needs: 'a name', options: ['minutes'] }],
  ['announce', { needs: 'a text' }],
  ['metrics', {}],
])
const mostMinutes = 5_256_000

/** Parses minutes. An empty text is refused, because JavaScript converts it to 0, which ends an order. */
function readMinutes(text: string): number {
  const minutes = text.trim() === '' ? Number.NaN : Number(text)
  if (!(minutes >= 0 && minutes <= mostMinutes))
    throw new Error(`--minutes is a number from 0 to ${mostMinutes}, and not ${text}`)
  return minutes
}

async function orderGame(order: string, words: readonly string[], said: string | undefined): Promise<string> {
  const minutes = said === undefined ? undefined : readMinutes(said)
  const subject = words.join(' ')
  const { needs } = gameOrders.get(order) ?? {}
  if (needs !== undefined && subject === '') throw new Error(`${order} needs ${needs}`)
  const { dataDir, gamePort } = readConfig(process.env)
  const about = subject === '' ? {} : order === 'announce' ? { text: subject } : { player: subject }
  const orders = makeGameOrders({ dataDir: resolve(dataDir), gamePort })
  const answer = await orders.give({ order, ...about, ...(minutes !== undefined && { minutes }) })
  return Object.entries(answer)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join('\n')
}

/**
 * Refuses extra words: somebody who writes days after `csv` would otherwise get those of the default.
 *
 * @throws Error when there are more words than the order takes
 */
function assertFewWords(order: string, words: readonly string[], most: number): void {
  if (words.length <= most) return
  const takes = most === 0 ? 'nothing beside its options' : most === 1 ? 'one word' : `${most} words`
  throw new Error(`${order} takes ${takes}, not ${words.join(' ')}`)
}

/**
 * Refuses options of other orders: `block … --minutes 60` would otherwise block permanently.
 *
 * @throws Error when an option belongs to another order
 */
function assertOwnOptions(order: string, given: readonly string[], own: readonly string[] = []): void {
  const other = given.find((name) => !own.includes(name))
  if (other !== undefined) throw new Error(`${order} does not take --${other}`)
}

async function carryOut(): Promise<string | undefined> {
  const text = { type: 'string' } as const
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ minutes: text, days: text, from: text, to: text, out: text, note: text },
      help: { type: 'boolean' },
    },
  })
  const [order, ...words] = positionals
  if (values.help || order === undefined) return help
  const bookOrder = Object.hasOwn(bookOrders, order) ? bookOrders[order] : undefined
  const gameOrder = gameOrders.get(order)
  if (!bookOrder && !gameOrder && !ownOrders.has(order))
    throw new Error(`there is no order ${order}; npm run operator -- --help lists them`)
  assertOwnOptions(order, Object.keys(values), (bookOrder ?? gameOrder)?.options)
  if (bookOrder) {
    assertFewWords(order, words, bookOrder.mostWords)
    return carryOutOrder(bookOrder.carryOut, { config: readConfig(process.env), words, said: values })
  }
  if (order.startsWith('sign-')) assertFewWords(order, words, 0)
  switch (order) {
    case 'sign-in':
      return printSignInLink(readConfig(process.env))
    case 'sign-out':
      return signOutEverywhere(readConfig(process.env))
    case 'run':
      // Loaded on demand, because it takes a second.
      await (await import('./run-one-job.ts')).runOneJob(readJob(words.join(' ')))
      return undefined
    default:
      return orderGame(order, words, values.minutes)
  }
}

try {
  const text = await carryOut()
  if (text !== undefined) console.log(text)
} catch (error) {
  console.error(toSaidText(error))
  process.exit(1)
}
