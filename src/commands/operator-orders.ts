import { join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { rpcUrlOf } from '../config/other-networks.ts'
import { showUnits, symbolOf } from '../core/assets.ts'
import { toDisplay } from '../core/money.ts'
import { showNetwork } from '../core/networks.ts'
import { makeJobHistory } from '../jobs/job-history.ts'
import { toJobOverviews } from '../jobs/job-overview.ts'
import { block, listBlocked, toBlockedText, unblock } from '../operator/blocks.ts'
import { nextSteps, readDoubtedSales, readOpenPayments, readReversedSales } from '../operator/payment-states.ts'
import { findRefundCase, recordRefund, toRefundNote } from '../operator/refunds.ts'
import { readSales, toConversion } from '../operator/sales-report.ts'
import { measureStorage } from '../operator/storage-use.ts'
import { readDateRange, writeTaxCsv } from '../operator/tax-csv.ts'
import { paidUnits } from '../payments/ledger/payment-row.ts'
import { publishKey } from '../payments/proof/published-keys.ts'
import { readReceiptKey } from '../payments/proof/receipt-key.ts'
import { makeReceiptSigner } from '../payments/proof/receipt-signer.ts'
import { impatience, readStorage, seeBackups } from '../site/open-storage.ts'
import { type LedgerDatabase, openLedgerDatabase } from '../storage/open-ledger-database.ts'
import { assertHasLedger } from './assert-has-ledger.ts'
import { keepNewFile } from './keep-new-file.ts'
import { orderMentions } from './order-mentions.ts'
import { orderReaders } from './order-readers.ts'
import { readWalletData } from './wallet-data.ts'

/** The options of an order. */
export interface Said {
  readonly days?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly out?: string | undefined
  readonly note?: string | undefined
}

interface Asked {
  readonly db: LedgerDatabase
  readonly config: Config
  readonly words: readonly string[]
  readonly said: Said
}

/** Resolves to the text to print; undefined when it has written its output itself. @throws Error with one sentence */
type Order = (asked: Asked) => Promise<string | undefined>

const when = (ms: number): string => new Date(ms).toISOString()
const money = (micros: bigint | string): string => toDisplay(BigInt(micros))
const addressPattern = /^0x[0-9a-fA-F]{40}$/
const maxDays = 3650

async function tellSales({ db, said }: Asked): Promise<string> {
  const days = Number(said.days ?? 30)
  if (!Number.isInteger(days) || days < 1 || days > maxDays)
    throw new Error(`--days must be a whole number from 1 to ${maxDays}`)
  const { total, products, refunded, reversed, others } = await readSales(db, { days, now: Date.now() })
  const lines = products.map(
    (sum) =>
      `${sum.product}\tsales ${sum.sales}\tquotes ${sum.quotes}\tbought ${toConversion(sum) ?? '-'}\t${money(sum.micros)}\t${sum.micros}`,
  )
  return [
    `last ${days} UTC days: ${total.sales} sales, ${money(total.micros)} (${total.micros} atomic units), ${total.quotes} quotes`,
    `sent back: ${refunded.count}, ${money(refunded.micros)}; lost on the chain: ${reversed.count}, ${money(reversed.micros)}`,
    ...others.map(
      ({ asset, sales, units }) =>
        `in ${symbolOf(asset)}: ${sales} sales, ${showUnits(units, asset)} (${units} atomic units)`,
    ),
    ...lines,
  ].join('\n')
}

async function tellPayments({ db }: Asked): Promise<string> {
  const [open, doubted, reversed] = await Promise.all([
    readOpenPayments(db),
    readDoubtedSales(db),
    readReversedSales(db),
  ])
  const paid = ({ amount, isTest }: { amount: string; isTest: boolean }): string =>
    isTest ? `${money(amount)} test` : money(amount)
  const ofSale = ({ settledAt, product, payer, receipt, ...sale }: (typeof doubted)[number]): string =>
    `${when(settledAt)}\t${paid(sale)}\t${product}\t${payer}\t${receipt}`
  const groups = [
    ...(['settling', 'ready'] as const).map((wanted) => ({
      name: wanted,
      count: open.counts[wanted],
      lines: open.payments
        .filter(({ state }) => state === wanted)
        .map(
          ({ createdAt, product, payer, ...payment }) => `${when(createdAt)}\t${paid(payment)}\t${product}\t${payer}`,
        ),
    })),
    { name: 'doubted' as const, count: doubted.length, lines: doubted.map(ofSale) },
    { name: 'reversed' as const, count: reversed.length, lines: reversed.map(ofSale) },
  ]
  const shown = groups.filter(({ lines }) => lines.length > 0)
  if (shown.length === 0) return 'every payment is settled'
  return shown
    .map(({ name, count, lines }) => [`${name}: ${count}. ${nextSteps[name]}`, ...lines].join('\n'))
    .join('\n\n')
}

async function refund({ db, config, words, said }: Asked): Promise<string> {
  const [receipt = '', transaction] = words
  const found = await findRefundCase(db, receipt)
  if (receipt === '') throw new Error('refund needs the receipt of a sale: r_ and 32 hexadecimal digits')
  if (!found) throw new Error(`there is no sale with the receipt ${receipt}`)
  const { sale } = found
  if (!found.refund && transaction === undefined && said.note === undefined)
    return `Send ${showUnits(paidUnits(sale), sale.asset)} (${paidUnits(sale)} atomic units, or more) on ${showNetwork(sale.network)} to\n${sale.payer}\nand then run: npm run operator -- refund ${receipt} TRANSACTION`
  // Loaded on demand: reading the chain takes longer to load than everything else, and no other order needs it.
  const { makeFindRefund } = await import('../payments/chain/find-refund.ts')
  const deps = { db, findRefund: makeFindRefund((network) => rpcUrlOf(config, network)), now: Date.now }
  const outcome = await recordRefund(deps, { receipt, transaction, note: said.note })
  if (outcome.is === 'refused') throw new Error(`not recorded: ${outcome.reason}`)
  const key = readReceiptKey({ dataDir: resolve(config.dataDir), secret: config.secret() })
  await publishKey(db, key, Date.now)
  const { text, facts, signed } = toRefundNote(outcome.refund, makeReceiptSigner(key, config))
  return `${text}\n${JSON.stringify(facts, null, 2)}\nSigned (JWS):\n${signed}`
}

async function tellJobs({ db }: Asked): Promise<string> {
  const history = makeJobHistory(db)
  const [ended, running] = [await history.findEnded(), await history.findRunning()]
  return toJobOverviews({ ended, running, now: Date.now() })
    .map(({ name, state, lastAt, nextAt, sentence }) =>
      [
        name,
        state,
        `last ${lastAt?.toISOString() ?? '-'}`,
        `next ${nextAt?.toISOString() ?? '-'}`,
        sentence ?? '',
      ].join('\t'),
    )
    .join('\n')
}

async function tellStorage({ config }: Asked): Promise<string> {
  const seen = seeBackups(config, await readStorage(config, impatience))
  const { parts, free, disk, backups } = await measureStorage(resolve(config.dataDir), seen)
  return [
    ...parts.map(({ name, bytes }) => `${name}\t${bytes} bytes`),
    `free on the disk\t${free} of ${disk} bytes`,
    ...(backups ?? []).map(
      ({ prefix, bytes }) => `${prefix}\t${bytes === undefined ? 'is damaged' : `${bytes} bytes`}`,
    ),
  ].join('\n')
}

async function writeCsv({ db, said }: Asked): Promise<undefined> {
  const lines = writeTaxCsv(db, readDateRange(said.from, said.to, Date.now()))
  if (said.out === undefined) for await (const line of lines) process.stdout.write(line)
  else await keepNewFile(said.out, lines)
  return undefined
}

async function tellOrBlock({ db, words: [who, ...reason] }: Asked): Promise<string> {
  if (who === undefined) {
    const blocked = await listBlocked(db)
    if (blocked.length === 0) return 'nobody is blocked'
    return blocked
      .map((entry) => [entry.kind, toBlockedText(entry), when(entry.since), entry.reason].join('\t'))
      .join('\n')
  }
  const entry = await block(db, who, reason.join(' '), Date.now())
  return `${entry.kind} ${toBlockedText(entry)} is blocked from now on; what it has paid for is still delivered`
}

async function liftBlock({ db, words: [who] }: Asked): Promise<string> {
  if (who === undefined) throw new Error('unblock needs a wallet or an IP address')
  if (!(await unblock(db, who))) throw new Error(`${who} is not blocked`)
  return `${who} can buy again`
}

async function tellWallet({ db, words }: Asked): Promise<string> {
  const address = words.join(' ')
  if (!addressPattern.test(address)) throw new Error('give the address of one wallet: 0x and 40 hexadecimal digits')
  return JSON.stringify(await readWalletData(db, address), null, 2)
}

interface BookOrder {
  readonly carryOut: Order
  /** The largest number of words after its name. */
  readonly mostWords: number
  /** The options that it accepts. */
  readonly options?: readonly (keyof Said)[]
}

const any = Number.POSITIVE_INFINITY

/** The orders that work on the databases of a data folder, whether its programs run or not. */
export const bookOrders: Readonly<Record<string, BookOrder>> = {
  sales: { carryOut: tellSales, mostWords: 0, options: ['days'] },
  payments: { carryOut: tellPayments, mostWords: 0 },
  refund: { carryOut: refund, mostWords: 2, options: ['note'] },
  jobs: { carryOut: tellJobs, mostWords: 0 },
  storage: { carryOut: tellStorage, mostWords: 0 },
  csv: { carryOut: writeCsv, mostWords: 0, options: ['from', 'to', 'out'] },
  block: { carryOut: tellOrBlock, mostWords: any },
  unblock: { carryOut: liftBlock, mostWords: 1 },
  // These check the number of their words themselves.
  mentions: { carryOut: orderMentions, mostWords: any },
  readers: { carryOut: orderReaders, mostWords: any, options: ['out'] },
  wallet: { carryOut: tellWallet, mostWords: any },
}

/** Opens the ledger and carries out one order. @throws Error with one sentence */
export async function carryOutOrder(order: Order, asked: Omit<Asked, 'db'>): Promise<string | undefined> {
  const { dataDir, databaseUrl } = asked.config
  assertHasLedger(asked.config)
  const db = await openLedgerDatabase(join(resolve(dataDir), 'ledger.db'), databaseUrl())
  try {
    return await order({ ...asked, db })
  } finally {
    await db.destroy()
  }
}
