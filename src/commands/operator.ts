// `npm run operator`: what the operator may do. The game's orders go to the running game host of this data folder.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../config/config.ts'
import { toSaidText } from '../core/said-text.ts'
import { makeOauthRecords } from '../oauth/oauth-records.ts'
import { openOauthDatabase } from '../oauth/open-oauth-database.ts'
import { makeSignInLinks } from '../oauth/sign-in-links.ts'
import { makeGameOrders } from '../operator/game-orders.ts'
import { bookOrders, carryOutOrder } from './operator-orders.ts'

const help = `npm run operator -- ORDER

  sign-in                      prints a link that signs a browser in at /operator, or lets a program act for you
  sign-out                     ends every session, and revokes the access of every program

  sales [--days N]             what was sold, by product, with how many asked for the price (30 days)
  payments                     payments that are open, doubted or reversed, and what to do about each
  refund RECEIPT               says what to send to whom; sends nothing by itself
  refund RECEIPT TRANSACTION   records what you have sent, after a look at the chain [--note TEXT]
  refund RECEIPT --note TEXT   records money that went back by hand
  csv [--from DAY] [--to DAY] [--out FILE]
                               the books for the tax office (this year, to the terminal)
  jobs                         how the jobs do
  run JOB                      runs one now (see npm run job)
  storage                      what takes room, and the backups
  block WALLET|IP [REASON]     sells nothing to it from now on; without either, lists who is blocked
  unblock WALLET|IP            sells to it again
  mentions                     pages of other sites that mention a post
  mentions approve|refuse ID   shows one below the post, or never
  readers [--out FILE]         who gets new posts by e-mail, as CSV
  readers erase EMAIL          erases one, as who unsubscribes
  wallet ADDRESS               all that the books hold of a wallet, as JSON, for whoever asks for their own

  kick NAME [--minutes N]      sends a player away (60 minutes)
  mute NAME [--minutes N]      keeps a player from talking (60 minutes)
  reserve NAME [--minutes N]   keeps a name from being taken (ten years)
  announce TEXT                says something to everybody
  metrics                      how the game is doing

  --minutes 0 lifts an earlier order. For the game's orders its host must be running on this machine.`

type Place = Pick<Config, 'baseUrl' | 'dataDir' | 'databaseUrl'>

async function withRecords<Result>(
  { dataDir, databaseUrl }: Place,
  use: (records: ReturnType<typeof makeOauthRecords>) => Promise<Result>,
): Promise<Result> {
  const db = await openOauthDatabase(join(resolve(dataDir), 'oauth.db'), databaseUrl())
  try {
    return await use(makeOauthRecords({ db, now: Date.now }))
  } finally {
    await db.destroy()
  }
}

/** A link that lets the operator in, once, in the browser where it is opened. */
const printSignInLink = (place: Place): Promise<string> =>
  withRecords(place, async (records) => {
    const link = await makeSignInLinks({ records, baseUrl: place.baseUrl, now: Date.now }).make()
    return `${link}\n\nOpen it within 10 minutes in the browser in which you want to use ${place.baseUrl}/operator, or in which a program asks for access. It works once.`
  })

/** Takes back what every program and every browser was given. */
const signOutEverywhere = (place: Place): Promise<string> =>
  withRecords(place, async (records) => {
    const count = await records.forgetAll()
    return `programs that had access: ${count}. All access has been revoked.`
  })

/** What the game host is told to do. */
const gameOrders = ['kick', 'mute', 'reserve', 'announce', 'metrics']
const mostMinutes = 5_256_000

/** What is empty is no number: 0 lifts an order. */
function readMinutes(text: string): number {
  const minutes = text.trim() === '' ? Number.NaN : Number(text)
  if (!(minutes >= 0 && minutes <= mostMinutes))
    throw new Error(`--minutes is a number from 0 to ${mostMinutes}, and not ${text}`)
  return minutes
}

async function orderGame(order: string, words: readonly string[], said: string | undefined): Promise<string> {
  const minutes = said === undefined ? undefined : readMinutes(said)
  const { dataDir, gamePort } = readConfig(process.env)
  const subject = words.join(' ')
  const about = subject === '' ? {} : order === 'announce' ? { text: subject } : { player: subject }
  const orders = makeGameOrders({ dataDir: resolve(dataDir), gamePort })
  const answer = await orders.give({ order, ...about, ...(minutes !== undefined && { minutes }) })
  return Object.entries(answer)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join('\n')
}

/** @throws Error where more was said than is listened to: whoever writes days after `csv` means others than it writes */
function assertFewWords(order: string, words: readonly string[], most: number): void {
  if (words.length <= most) return
  const takes = most === 0 ? 'nothing beside its options' : most === 1 ? 'one word' : `${most} words`
  throw new Error(`${order} takes ${takes}, not ${words.join(' ')}`)
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
      // What a job needs takes a second to load.
      await (await import('./run-one-job.ts')).runOneJob(words.join(' '))
      return undefined
    default:
      if (!gameOrders.includes(order))
        throw new Error(`there is no order ${order}; npm run operator -- --help lists them`)
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
