import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import { fund } from '../../tests/support/hostile-wallets.ts'
import type { RunningMoney } from '../../tests/support/money.ts'
import { type Ask, insist, type Purchase, send } from '../../tests/support/patient-buyer.ts'
import { signPayment } from '../../tests/support/signed-payments.ts'
import { type Asked, ask } from './ask.ts'
import type { OpenRecord } from './record.ts'
import type { Fronts } from './visits.ts'

/** A product to buy: its request, and how to recognize it. */
interface Product {
  readonly name: string
  readonly of?: 'game'
  readonly path: string
  /** Body of a POST request, if any; `n` makes each purchase different. */
  readonly body?: (n: number) => object
  readonly looksRight: (product: Uint8Array) => boolean
}

/** A signed payment that was sent, with its product and price. */
export interface Sold {
  readonly name: string
  readonly micros: bigint
  readonly purchase: Purchase
}

const text = (product: Uint8Array): string => new TextDecoder().decode(product)
const skills = ['x402-seller', 'x402-buyer', 'sqlite-in-production', 'ssrf-safe-fetch', 'feed-doctor']
const skill = (slug: string): Product => ({
  name: 'skill',
  path: `/skills/${slug}/raw`,
  looksRight: (product) => text(product).includes(`name: ${slug}`),
})

const cheap: readonly Product[] = [
  ...skills.map(skill),
  {
    name: 'bot-catalog',
    path: '/api/x402/agent-seo/bot-catalog',
    looksRight: (product) => text(product).includes('GPTBot'),
  },
  { name: 'llms-full', path: '/llms-full.txt', looksRight: (product) => text(product).includes('\n---\n') },
  { name: 'posts-export', path: '/api/export/posts', looksRight: (product) => text(product).startsWith('{"version"') },
  {
    name: 'tip',
    of: 'game',
    path: '/api/store/unlock',
    body: () => ({ sku: 'tip_3', playerName: 'Donor' }),
    looksRight: (product) => text(product).includes('tip_3'),
  },
]
const sentence = 'A farthing was a quarter of a penny, and was nevertheless struck with care. '
const media: readonly Product[] = [
  {
    name: 'narration',
    path: '/api/x402/media/narrate',
    body: (n) => ({ text: `Purchase number ${n}. ${sentence.repeat(10)}` }),
    looksRight: (product) => product.length > 100_000,
  },
  {
    name: 'image',
    path: '/api/x402/media/image/generate',
    body: (n) => ({ title: `The tide tables of year ${1000 + n}`, style: 'editorial-minimal' }),
    looksRight: ([first, second, third]) => first === 0xff && second === 0xd8 && third === 0xff,
  },
]

const termsSchema = z.object({ accepts: z.array(z.object({ amount: z.string(), payTo: z.string() })).min(1) })
const attempts = 5
const signedForSeconds = 3600

interface Market {
  readonly fronts: Fronts
  readonly payTo: string
  readonly money: RunningMoney
}

/**
 * Makes buyers, each with its own wallet, because a wallet that owns a product is not charged again. `sold` lists every
 * signed payment, delivered or not.
 */
export function makeBuyers({ fronts, payTo, money }: Market, { record, request, sale, fail }: OpenRecord) {
  const sold: Sold[] = []
  let cheapest = 0
  let heaviest = 0

  async function buy(product: Product, n: number): Promise<void> {
    const { name, of = 'site', path } = product
    const order: Asked = { path, ...(product.body && { method: 'POST', body: JSON.stringify(product.body(n)) }) }
    const port = fronts[of]
    const quote = await ask(port, order)
    const header = quote.headers['payment-required']
    if (quote.status !== 402 || typeof header !== 'string')
      return fail(`${name}: asked for its price, ${quote.status} ${quote.body.toString('utf8', 0, 300)}`)
    const [terms] = termsSchema.parse(JSON.parse(Buffer.from(header, 'base64').toString())).accepts
    if (terms?.payTo.toLowerCase() !== payTo.toLowerCase()) return fail(`${name}: wants the money at ${terms?.payTo}`)
    const micros = BigInt(terms.amount)
    const privateKey = generatePrivateKey()
    await fund(money.rpc, privateKeyToAddress(privateKey), micros)
    const { header: signature, nonce } = await signPayment({
      amount: micros,
      payTo,
      privateKey,
      token: randomBytes(18).toString('base64url'),
      validBefore: Math.floor(Date.now() / 1000) + signedForSeconds,
    })
    const purchase: Purchase = { path, header: signature, nonce, delivered: new Set(), deliveries: 0, history: [] }
    sold.push({ name, micros, purchase })
    let looksRight = false
    const asking: Ask = async (at, _path, payment) => {
      const from = performance.now()
      const answer = await ask(at, { ...order, headers: { 'payment-signature': payment } })
      request('paid', performance.now() - from)
      if (answer.status === 200) looksRight = product.looksRight(answer.body)
      const toText = (named: string) => answer.headers[named]?.toString() ?? null
      return { status: answer.status, header: toText, body: answer.body }
    }
    await deliver(purchase, port, asking)
    record.invitations += purchase.history.filter((what) => /^(409|503)/.test(what)).length
    if (purchase.deliveries === 0) return fail(`${name}: not delivered: ${purchase.history.join(', ')}`)
    if (!looksRight) fail(`${name}: what was delivered is not that`)
    sale(name, micros)
    // Every tenth buyer has lost the product and requests it again.
    if (sold.length % 10 !== 0) return
    record.redeliveries += 1
    if ((await send(purchase, port, asking)) !== 'delivered' || purchase.delivered.size !== 1)
      fail(`${name}: asked again, and not given the same: ${purchase.history.join(', ')}`)
  }

  async function deliver(purchase: Purchase, port: number, asking: Ask): Promise<void> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const way = { ask: asking, pauseMs: 1000, limitMs: 600_000 }
      if ((await insist(purchase, port, way)) === 'delivered') return
      fail(`${purchase.path}: the connection of a paid request broke`)
      await delay(1000)
    }
  }

  const next = async (product: Product | undefined, n: number): Promise<void> => {
    if (product) await buy(product, n)
  }
  return {
    sold,
    buyCheap: () => next(cheap[cheapest++ % cheap.length], cheapest),
    buyMedia: () => next(media[heaviest++ % media.length], heaviest),
  }
}
