import { type Fields, readFields, readText } from '../read-value.ts'
import { keepStored, readStored } from '../stored.ts'
import { readTerms, type Terms } from './read-terms.ts'

/** Something to buy for somebody. */
export interface Purchase {
  readonly sku: string
  readonly playerName: string
}

/** A purchase that is signed and not yet known to be done. The same signature is sent until it is known. */
export interface SignedPurchase extends Purchase {
  readonly header: string
}

/** What the store says to it. */
export type Answer =
  | { readonly is: 'terms'; readonly terms: Terms; readonly isOwned: boolean }
  | { readonly is: 'done'; readonly body: Fields; readonly receipt: string; readonly transaction: string }
  | { readonly is: 'owned' }
  /** Not charged; the reason is the store's. */
  | { readonly is: 'refused'; readonly reason: string }
  /** Money may have moved: the same request again, later. */
  | { readonly is: 'pending'; readonly waitMs: number }

const storedName = 'purchase'

/** A purchase that an earlier visit signed and did not see through. */
export function readUnfinished(): SignedPurchase | undefined {
  const kept = readFields(readStored(storedName))
  const [sku, playerName, header] = [kept['sku'], kept['playerName'], kept['header']].map(readText)
  return sku && playerName && header ? { sku, playerName, header } : undefined
}

/** Asks what a purchase costs. Nothing is paid. */
export const askTerms = (purchase: Purchase): Promise<Answer> => ask(purchase)

/**
 * Sends a signed purchase. It is kept until the store has answered for good, so that a lost connection or a closed
 * window cannot lose what was paid for.
 */
export async function unlock(purchase: SignedPurchase): Promise<Answer> {
  keepStored(storedName, purchase)
  const answer = await ask(purchase, purchase.header)
  if (answer.is !== 'pending') keepStored(storedName, undefined)
  return answer
}

async function ask({ sku, playerName }: Purchase, header?: string): Promise<Answer> {
  const response = await fetchQuietly('/api/store/unlock', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(header && { 'payment-signature': header }) },
    body: JSON.stringify({ sku, playerName }),
  })
  if (response === undefined)
    return header ? { is: 'pending', waitMs: 3000 } : { is: 'refused', reason: 'The store does not answer.' }
  const body = await readBody(response)
  if (response.status === 402) return readDemand(response, body, header !== undefined)
  if (response.ok) {
    if (body['status'] === 'already_owned') return { is: 'owned' }
    return {
      is: 'done',
      body,
      receipt: response.headers.get('x-receipt-id') ?? '',
      transaction: readText(readPaymentResponse(response)['transaction']),
    }
  }
  if (header && (response.status === 409 || response.status >= 500))
    return { is: 'pending', waitMs: 1000 * Math.max(1, Number(response.headers.get('retry-after')) || 3) }
  return { is: 'refused', reason: readText(body['detail']) || `The store answered ${response.status}.` }
}

function readDemand(response: Response, body: Fields, wasSigned: boolean): Answer {
  const terms = wasSigned ? undefined : readTerms(response.headers.get('payment-required'))
  if (terms && !body['errors']) return { is: 'terms', terms, isOwned: body['alreadyOwned'] === true }
  return { is: 'refused', reason: readText(body['detail']) || 'The payment was not accepted.' }
}

async function fetchQuietly(path: string, init: RequestInit): Promise<Response | undefined> {
  try {
    return await fetch(path, { ...init, signal: AbortSignal.timeout(60_000) })
  } catch {
    return undefined
  }
}

async function readBody(response: Response): Promise<Fields> {
  try {
    return readFields(await response.json())
  } catch {
    return {}
  }
}

function readPaymentResponse(response: Response): Fields {
  try {
    return readFields(JSON.parse(atob(response.headers.get('payment-response') ?? '')))
  } catch {
    return {}
  }
}
