import { findCheapest } from './find-cheapest.ts'
import { failure, type OutsideCheck } from './looked.ts'

const deadlineMs = 8_000
const advice =
  'Make the proxy pass on answers with status 402 unchanged, including headers, and not replace them with a page of its own.'

/** Checks that a buyer gets 402 with readable terms. This needs a running shop. */
export const makeTermsCheck = (baseUrl: string): OutsideCheck => ({
  name: 'terms',
  async run() {
    // Other checks report why there is no catalog.
    const cheapest = await findCheapest(baseUrl).catch(() => undefined)
    if (!cheapest) return undefined
    const answer = await fetch(cheapest.buyUrl, { redirect: 'manual', signal: AbortSignal.timeout(deadlineMs) })
    await answer.body?.cancel()
    if (answer.status !== 402)
      return failure(`A request for ${cheapest.buyUrl} gets HTTP ${answer.status} instead of 402 with terms.`, advice)
    if (!isTerms(answer.headers.get('payment-required')))
      return failure('A 402 arrives without the header PAYMENT-REQUIRED, so no client can pay.', advice)
    return { is: 'ok', sentence: 'A buyer gets 402 with terms.' }
  },
})

function isTerms(header: string | null): boolean {
  try {
    const terms: unknown = JSON.parse(Buffer.from(header ?? '', 'base64').toString())
    return typeof terms === 'object' && terms !== null && 'accepts' in terms
  } catch {
    return false
  }
}
