import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { signPayment } from './signed-payments.ts'

/** One signature, and the results of the requests with it. */
export interface Purchase {
  readonly path: string
  readonly header: string
  readonly nonce: string
  /** Every different delivery (body, receipt and transaction). More than one breaks the promise of equal deliveries. */
  readonly delivered: Set<string>
  deliveries: number
  /** A log for the message of a failed test. */
  readonly history: string[]
}

/** The result of one request. `cut`: the connection ended without a complete response. */
export type Sent = 'delivered' | 'later' | 'cut'

/** One complete response. */
export interface Answer {
  status: number
  header: (name: string) => string | null
  body: Uint8Array
}

/** Sends one GET with a signature to a site on this port; throws if the connection breaks. */
export type Ask = (port: number, path: string, signature: string) => Promise<Answer>

let signed = 0

/** Signs for a skill, which a wallet buys only once. */
export const signForSkill = (slug: string): Promise<Purchase> => signFor(`/skills/${slug}/raw`, 100_000n)

/** Signs for the catalog of crawlers, which is work and is paid each time. */
export const signForCatalog = (): Promise<Purchase> => signFor('/api/x402/agent-seo/bot-catalog', 50_000n)

/** Signs with a redelivery token, which later proves whose purchase it is, and sometimes with a payment identifier. */
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

/** Asks with the global fetch, which keeps its connections open. */
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
 * Sends a purchase once and records the result.
 *
 * @throws Error with the purchase's history if the response is neither the product nor a request to retry
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

/** Sends a purchase until it is delivered or the connection breaks, with shorter delays than the site asks for. */
export async function insist(
  purchase: Purchase,
  port: number,
  { ask = askByFetch(), pauseMs = 20, limitMs = 120_000 }: { ask?: Ask; pauseMs?: number; limitMs?: number } = {},
): Promise<Exclude<Sent, 'later'>> {
  const until = Date.now() + limitMs
  for (;;) {
    const sent = await send(purchase, port, ask)
    if (sent !== 'later') return sent
    if (Date.now() > until) throw new Error(`not delivered in time; its history: ${toHistory(purchase)}`)
    await delay(pauseMs)
  }
}

/** The results in order, with repetitions counted. */
function toHistory({ history }: Purchase): string {
  const runs: { what: string; times: number }[] = []
  for (const what of history) {
    const last = runs.at(-1)
    if (last?.what === what) last.times++
    else runs.push({ what, times: 1 })
  }
  return runs.map(({ what, times }) => (times === 1 ? what : `${what} (${times} times)`)).join(', ')
}

/** Parts of stack traces, SQL and messages of other programs, which must not reach buyers. */
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
