import { z } from 'zod'
import { showUnits } from '../core/assets.ts'
import { toDisplay } from '../core/money.ts'
import { toOneLine } from '../core/one-line.ts'
import { type Receipt, receiptSchema } from '../payments/ledger/receipt-schema.ts'
import { advice } from './advice.ts'

/** An e-mail to the operator. */
interface Email {
  readonly subject: string
  readonly text: string
}

const sale = z.object({ receipt: receiptSchema, offerId: z.string() })
const tellingSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('payment.settled'), timestamp: z.string(), data: sale }),
  z.object({
    type: z.literal('payment.doubted'),
    timestamp: z.string(),
    data: sale.extend({ doubt: z.enum(['not-seen', 'reversed']) }),
  }),
  z.object({
    type: z.literal('job.failed'),
    timestamp: z.string(),
    data: z.object({ job: z.string(), error: z.string() }),
  }),
  z.object({ type: z.literal('gas.low'), timestamp: z.string(), data: z.object({ settlementsLeft: z.number() }) }),
])
/** Maximum length of a line in characters, because servers break longer ones. */
const mostSigns = 900

type Telling = z.output<typeof tellingSchema>
type Sale = z.output<typeof sale>

/**
 * Writes the e-mail about one message, or about several sales at once, in plain text.
 *
 * @param bodies messages as `announce` writes them
 * @throws ZodError when a body has another form
 */
export function writeEmail(bodies: readonly string[], baseUrl: string): Email {
  const told = bodies.map((body) => tellingSchema.parse(JSON.parse(body)))
  const sales = told.flatMap((each) => (each.type === 'payment.settled' ? [each.data] : []))
  const [first] = told
  const { title, lines } = first && sales.length === 0 ? describe(first, baseUrl) : describeSales(sales, baseUrl)
  const foot = ['--', `Sent by the shop at ${baseUrl}; EMAIL_EVENTS says of what.`]
  return {
    subject: toLine(`${new URL(baseUrl).host}: ${title}`),
    text: [`${capital(title)}.`, '', ...lines, '', ...foot, ''].map(toLine).join('\n'),
  }
}

interface Description {
  readonly title: string
  readonly lines: readonly string[]
}

function describe(told: Telling, baseUrl: string): Description {
  const when = `Time:     ${told.timestamp}`
  switch (told.type) {
    case 'payment.settled':
      return describeSales([told.data], baseUrl)
    case 'payment.doubted': {
      const { doubt, offerId } = told.data
      const what =
        doubt === 'reversed' ? 'the chain lost the transfer of a sale' : 'a sale is not seen on the chain yet'
      return { title: `${what}: ${offerId}`, lines: [...facts(told.data, baseUrl), when, ...toAdvice(doubt)] }
    }
    case 'job.failed': {
      const { job, error } = told.data
      return { title: `the job ${job} failed`, lines: [`Reason:   ${error}`, when, ...toAdvice('job.failed')] }
    }
    case 'gas.low': {
      const { settlementsLeft: left } = told.data
      return { title: `the gas wallet pays for ${left} more settlements`, lines: [when, ...toAdvice('gas.low')] }
    }
  }
}

function describeSales(sales: readonly Sale[], baseUrl: string): Description {
  const total = toTotal(sales.map(({ receipt }) => receipt))
  const lines = sales.flatMap((each, at) => [
    ...(at > 0 ? [''] : []),
    ...facts(each, baseUrl),
    `Time:     ${each.receipt.settledAt}`,
  ])
  const [only] = sales
  const title = sales.length === 1 && only ? `sold ${only.offerId} for ${total}` : `${sales.length} sales for ${total}`
  return { title, lines: [...lines, '', 'There is nothing to do.'] }
}

/** The amount received of each token; amounts of different tokens are never added up. */
function toTotal(receipts: readonly Receipt[]): string {
  const micros = receipts.flatMap((receipt) =>
    receipt.amountUnits === undefined ? [BigInt(receipt.amountMicroUsd)] : [],
  )
  const others = Map.groupBy(
    receipts.filter(({ amountUnits }) => amountUnits !== undefined),
    ({ asset }) => asset,
  )
  return [
    ...(micros.length > 0 ? [toDisplay(sum(micros))] : []),
    ...[...others].map(([asset, paid]) =>
      showUnits(sum(paid.map(({ amountUnits }) => BigInt(amountUnits ?? 0))), asset),
    ),
  ].join(' and ')
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

const facts = ({ receipt, offerId }: Sale, baseUrl: string): string[] => [
  `Product:  ${offerId}`,
  `Amount:   ${toTotal([receipt])}`,
  `Receipt:  ${toReceiptUrl(receipt, baseUrl)}`,
  `Transfer: ${receipt.transaction}`,
]

const toReceiptUrl = ({ id }: Receipt, baseUrl: string): string => `${baseUrl}/receipts/${id}`

const toAdvice = (about: keyof typeof advice): string[] => [
  '',
  `What it means: ${advice[about].meaning}.`,
  `What to do: ${advice[about].todo}`,
  'More is in docs/day-two.md under "Alarms".',
]

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const toLine = (text: string): string => toOneLine(text, mostSigns)
