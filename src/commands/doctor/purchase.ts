import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseAbi, parseEventLogs } from 'viem'
import { z } from 'zod'
import type { Config } from '../../config/config.ts'
import { type MicroUsd, toDisplay, usd } from '../../core/money.ts'
import { ask, openLookingClient } from '../../health/ask-chain.ts'
import { findCheapest } from '../../health/outside/find-cheapest.ts'
import { fetchJson } from '../../http/fetch-json.ts'

const buyer = fileURLToPath(new URL('../../buyer/main.ts', import.meta.url))
const cent = usd('0.01')
/** The default limit; more expensive products need `--max-usd`. */
const usualMost = usd('0.10')
const abi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])

const reportSchema = z.object({
  amountMicroUsd: z.string(),
  payer: z.string(),
  payTo: z.string(),
  transaction: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/)
    .nullable(),
  receiptUrl: z.string().nullable(),
})

interface Options {
  readonly env: NodeJS.ProcessEnv
  readonly keyFile: string | undefined
  /** The limit in dollars, as it was typed. */
  readonly maxUsd: string | undefined
  readonly say: (line: string) => void
}

/**
 * Buys the cheapest product of the running shop with the operator's wallet, through the proxies in front of it, and
 * reports what moved. The key is passed to the buying program in the same way as by `npm run buy`, and to nothing else.
 *
 * @throws Error with one sentence when nothing was bought, or the chain does not know the transfer
 */
export async function purchase(config: Config, { env, keyFile, maxUsd, say }: Options): Promise<void> {
  const cheapest = await findCheapest(config.baseUrl).catch((cause: unknown) => {
    throw new Error(`${config.baseUrl} shows no catalog, so nothing can be bought; run this again when it is running`, {
      cause,
    })
  })
  if (!cheapest) throw new Error('the shop sells nothing that needs no input; buy something with npm run buy')
  const { title, buyUrl, priceMicroUsd } = cheapest
  const most = maxUsd === undefined ? usualMost : usd(maxUsd)
  const more = priceMicroUsd > cent ? ', more than a cent: it is the cheapest that needs no input' : ''
  say(`buying “${title}” for ${toDisplay(priceMicroUsd)}${more}`)
  if (priceMicroUsd > most)
    throw new Error(`it costs more than ${toDisplay(most)}, so nothing was bought; --max-usd allows more`)
  const report = await runBuyer({ url: buyUrl, most: priceMicroUsd, asset: config.asset, keyFile, env })
  const { amountMicroUsd, payer, payTo, transaction, receiptUrl } = report
  if (payTo.toLowerCase() !== config.payTo.toLowerCase())
    throw new Error(`the shop at ${config.baseUrl} is paid to ${payTo}, and PAY_TO_ADDRESS is ${config.payTo}`)
  if (transaction === null) throw new Error('the shop delivered and named no transaction; look at its log')
  say(`${toDisplay(BigInt(amountMicroUsd))} moved from ${payer} to ${payTo}`)
  say(`transaction ${transaction}, ${await seeTransfer(config, report)}`)
  if (receiptUrl !== null) say(await readReceipt(receiptUrl))
}

interface Wish {
  readonly url: string
  readonly most: MicroUsd
  readonly asset: string
  readonly keyFile: string | undefined
  readonly env: NodeJS.ProcessEnv
}

async function runBuyer({ url, most, asset, keyFile, env }: Wish): Promise<z.output<typeof reportSchema>> {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-bought-'))
  try {
    const dollars = `${most / 1_000_000n}.${String(most % 1_000_000n).padStart(6, '0')}`
    const place = ['--output', join(folder, 'product'), '--json']
    const key = keyFile === undefined ? [] : ['--key-file', keyFile]
    const args = [buyer, url, '--max-usd', dollars, '--asset', asset, ...place, ...key]
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [report] = await Promise.all([text(child.stdout), once(child, 'close')])
    const read = reportSchema.safeParse(report === '' ? undefined : JSON.parse(report))
    if (!read.success) throw new Error('nothing was bought; the buying program says why above')
    return read.data
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Checks the transfer on the chain. */
async function seeTransfer(
  { rpcUrl, asset }: Config,
  { amountMicroUsd, payer, payTo, transaction }: z.output<typeof reportSchema>,
): Promise<string> {
  const hash = `0x${transaction?.slice(2) ?? ''}` as const
  const asked = await ask(() => openLookingClient(rpcUrl).getTransactionReceipt({ hash }))
  if (asked.is !== 'answered') return 'which the RPC does not know (yet)'
  const { logs, blockNumber } = asked.value
  const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  const isOurs = parseEventLogs({ abi, logs }).some(
    ({ address, args: { from, to, value } }) =>
      isSame(address, asset) && isSame(from, payer) && isSame(to, payTo) && value === BigInt(amountMicroUsd),
  )
  if (!isOurs) throw new Error(`transaction ${hash} does not hold that transfer, whatever the shop says`)
  return `seen on the chain in block ${blockNumber}`
}

/** The receipt as JSON, from the API of the shop. */
async function readReceipt(receiptUrl: string): Promise<string> {
  const { origin, pathname } = new URL(receiptUrl)
  const id = /\/receipts\/(r_\w+)/.exec(pathname)?.[1] ?? ''
  const { json } = await fetchJson(`${origin}/api/receipts/${id}.json`, { deadlineMs: 8_000, maxBytes: 64 * 1024 })
  return `receipt ${receiptUrl}\n${JSON.stringify(json, null, 2)}`
}
