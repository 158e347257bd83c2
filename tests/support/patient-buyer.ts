import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { signPayment } from './signed-payments.ts'

/** One signature and what became of the requests that carried it. */
export interface Purchase {
  readonly path: string
  readonly header: string
  readonly nonce: string
  /** Every different delivery: body, receipt and transaction. More than one is a broken promise. */
  readonly delivered: Set<string>
  deliveries: number
  /** For the reader of a failed test. */
  readonly history: string[]
}

/** What one request came to. `cut`: the connection ended without a whole answer. */
export type Sent = 'delivered' | 'later' | 'cut'

/** One answer, whole. */
export interface Answer {
  status: number
  header: (name: string) => string | null
  body: Uint8Array
}

/** Sends one GET with a signature to a site on this port; throws when the connection breaks. */
export type Ask = (port: number, path: string, signature: string) => Promise<Answer>

let signed = 0

/** Signs for a skill, which a wallet buys once. */
export const signForSkill = (slug: string): Promise<Purchase> => signFor(`/skills/${slug}/raw`, 100_000n)

/** Signs for the catalog of crawlers, which is work and is paid each time. */
export const signForCatalog = (): Promise<Purchase> => signFor('/api/x402/agent-seo/bot-catalog', 50_000n)

/** With a redelivery token, which proves later whose purchase it is, and at times with a name. */
async function signFor(path: string, amount: bigint): Promise<Purchase> {
  const proof = randomBytes(18).toString('base64url')
  signed++
  const { header, nonce } = await signPayment({
    amount,
    payTo: sandboxPayTo,
    validBefore: Math.floor(Date.now() / 1000) + 3600,
    token: proof,
    ...(signed % 2 === 0 && { identifier: proof }),
  })
  return { path, header, nonce, delivered: new Set(), deliveries: 0, history: [] }
}

/** Asks with the global fetch, which keeps its connections. */
export const askByFetch =
  (signal?: AbortSignal): Ask =>
  async (port, path, signature) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'payment-signature': signature },
      ...(signal && { signal }),
    })
    const body = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, header: (name) => response.headers.get(name), body }
  }

const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  retryable: z.literal(true),
  charged: z.union([z.boolean(), z.literal('unknown')]),
})

/**
 * Sends a purchase once and notes what came back.
 *
 * @throws Error with the purchase's history when the answer is neither the product nor an invitation to come again
 */
export async function send(purchase: Purchase, port: number, ask: Ask = askByFetch()): Promise<Sent> {
  const { history, path, header } = purchase
  let answer: Answer
  try {
    answer = await ask(port, path, header)
  } catch {
    history.push('cut')
    return 'cut'
  }
  if (answer.status === 200) {
    history.push('200')
    purchase.delivered.add(toDelivery(answer))
    purchase.deliveries++
    return 'delivered'
  }
  const text = new TextDecoder().decode(answer.body)
  if (answer.status === 409 || answer.status === 503) {
    const problem = problemSchema.safeParse(
      answer.header('content-type') === 'application/problem+json' && toJson(text),
    )
    const isClear = problem.success && Number(answer.header('retry-after')) > 0 && !looksInternal.test(text)
    if (isClear) {
      history.push(`${answer.status}, charged: ${problem.data.charged}`)
      return 'later'
    }
  }
  history.push(`${answer.status} ${text}`)
  throw new Error(`a paid request was answered ${answer.status}; its history: ${toHistory(purchase)}`)
}

/** Sends a purchase until it is delivered or the connection breaks; a buyer who is in more of a hurry than asked. */
export async function insist(
  purchase: Purchase,
  port: number,
  { ask = askByFetch(), pauseMs = 20, limitMs = 20_000 }: { ask?: Ask; pauseMs?: number; limitMs?: number } = {},
): Promise<Exclude<Sent, 'later'>> {
  const until = Date.now() + limitMs
  for (;;) {
    const sent = await send(purchase, port, ask)
    if (sent !== 'later') return sent
    if (Date.now() > until) throw new Error(`not delivered in time; its history: ${toHistory(purchase)}`)
    await delay(pauseMs)
  }
}

/** What happened, with repetitions counted. */
function toHistory({ history }: Purchase): string {
  const runs: { what: string; times: number }[] = []
  for (const what of history) {
    const last = runs.at(-1)
    if (last?.what === what) last.times++
    else runs.push({ what, times: 1 })
  }
  return runs.map(({ what, times }) => (times === 1 ? what : `${what} (${times} times)`)).join(', ')
}

/** Parts of stacks, of SQL and of other programs' messages, which are nobody's business. */
const looksInternal = /\bat \S+ \(|\.ts:\d+|node:|SQLITE|ENOSPC|disk|constraint|\/tmp\//i

const toDelivery = ({ body, header }: Answer): string =>
  [createHash('sha256').update(body).digest('hex'), header('x-receipt-id'), header('payment-response')].join(' ')

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
