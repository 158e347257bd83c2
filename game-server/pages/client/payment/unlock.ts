import { type Fields, readFields, readText } from '../read-value.ts'
import { forgetPurchase, keepPurchase, type Purchase, type SignedPurchase } from './kept-purchases.ts'
import { readTerms, type Terms } from './read-terms.ts'

/** What the store says to it. */
export type Answer =
  /** 402. To a signed purchase: the store took nothing for it, and says why. */
  | { readonly is: 'terms'; readonly terms: Terms; readonly isOwned: boolean; readonly reason: string }
  | { readonly is: 'done'; readonly body: Fields; readonly receipt: string; readonly transaction: string }
  | { readonly is: 'owned' }
  /** The reason is the store's. */
  | { readonly is: 'refused'; readonly reason: string }
  /** Money may have moved: the same request again, later. */
  | { readonly is: 'pending'; readonly waitMs: number }

/** Asks what a purchase costs. Nothing is paid. */
export const askTerms = (purchase: Purchase): Promise<Answer> => ask(purchase)

/**
 * Sends a signed purchase. It is kept until the thing is there, so that neither a lost connection nor a closed window
 * can lose what was paid for, and so that whatever is signed next can take the place of it.
 */
export async function unlock({ sku, playerName, header }: SignedPurchase): Promise<Answer> {
  const purchase = { sku, playerName, header }
  keepPurchase(purchase)
  const answer = await ask(purchase, header)
  if (answer.is === 'done' || answer.is === 'owned') forgetPurchase(purchase)
  else if (answer.is !== 'pending') keepPurchase({ ...purchase, isDeclined: true })
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
  if (response.status === 402) return readDemand(response, body)
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

function readDemand(response: Response, body: Fields): Answer {
  const terms = readTerms(response.headers.get('payment-required'))
  const reason = readText(body['detail']) || 'The payment was not accepted.'
  if (!terms || body['errors']) return { is: 'refused', reason }
  return { is: 'terms', terms, isOwned: body['alreadyOwned'] === true, reason }
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
