import { z } from 'zod'
import type { Offer } from '../offers/offer.ts'
import { type Gate, httpWording } from './gate.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { PaymentRow } from './ledger/payment-row.ts'
import { readPayment } from './wire/read-payment.ts'

/**
 * The wording where nothing is sold any more: there is no price that a wallet could sign, so it points to the library.
 */
export const formerWording = (baseUrl: string) => ({
  ...httpWording,
  proof: `It is not sold any more; what was bought is at ${baseUrl}/library for the wallet that paid, which signs in there`,
})

/** Refuses every input: only a request whose raw input was paid for before is continued. */
const input = z.object({}).refine(() => false, 'is not sold any more')

const toFormer = (row: PaymentRow, method: Offer['method']): Offer => ({
  id: row.offer_id,
  slug: 'product',
  lane: 'hostedApi',
  title: row.product,
  excerpt: row.product,
  method,
  path: `/${row.path.slice(1)}`,
  mimeType: row.mime_type ?? 'application/octet-stream',
  price: BigInt(row.amount),
  input,
  example: {},
  workSeconds: 20,
  concurrency: 1,
  maxBodyBytes: 1024 * 1024,
  delivers: [],
  fileName: 'product',
  sample: '',
})

/**
 * Answers requests for purchases at a path where nothing is sold any more, because the product was removed or renamed:
 * the identical request fetches what it bought. Undefined when the payment of the request bought nothing there.
 *
 * @param gate made with `formerWording`
 */
export function makeFormer(ledger: Pick<Ledger, 'find'>, gate: Gate) {
  return async (request: Request, caller?: string): Promise<Response | undefined> => {
    const { method } = request
    const header = request.headers.get('payment-signature')
    const payment = header === null ? undefined : readPayment(header)
    if (!payment || (method !== 'GET' && method !== 'POST')) return undefined
    const row = await ledger.find(payment.key)
    // `working` may be a purchase at another program that still sells it. What waits unpaid (`ready`) is not charged
    // any more.
    const isBought = row?.state === 'settled' || row?.state === 'settling' || row?.state === 'working'
    // Only the game can complete what its store sold.
    if (!isBought || row.path !== new URL(request.url).pathname || row.offer_id.startsWith('store/')) return undefined
    return gate(toFormer(row, method), undefined)(request, caller)
  }
}
