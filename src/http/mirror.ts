import { z } from 'zod'
import { Problem } from '../core/problem.ts'
import { sha256 } from '../core/sha256.ts'
import { isPass } from './mirror-pass.ts'

/** What of a request reached a program. */
export const reflectionSchema = z.object({
  /** Whom limits count it against. */
  caller: z.string(),
  /** `X-Forwarded-For` as it arrived, an entry for each that wrote into it. */
  forwardedFor: z.array(z.string()),
  /** Whether `Forwarded` came, which nobody reads. */
  hasForwarded: z.boolean(),
  /** The hash of `PAYMENT-SIGNATURE`; null when none arrived. */
  paymentHash: z.string().nullable(),
})

/** See reflectionSchema. */
export type Reflection = z.output<typeof reflectionSchema>

/** What may be sent back as a header. */
const reflected = /^[\w+/=-]{1,16384}$/

interface Options {
  readonly secret: string
  /** The public address of this program. */
  readonly origin: string
  readonly now: () => number
}

interface Asked {
  readonly url: string
  /** As they came over the connection. */
  readonly headers: Headers
  /** The peer's address, or what a trusted proxy names. */
  readonly caller: string
}

/**
 * Answers `/api/mirror`: what of a request arrived, so that `npm run doctor` can compare it with what it sent. With
 * `?header` the payment header comes back as `PAYMENT-REQUIRED`.
 *
 * @throws Problem `not-found` for whoever shows no pass, and learns no more than of an address that is not there
 */
export const makeMirror =
  (options: Options) =>
  ({ url, headers, caller }: Asked): Response => {
    if (!isPass(headers.get('authorization'), options)) throw new Problem('not-found')
    const payment = headers.get('payment-signature')
    const forwardedFor = headers.get('x-forwarded-for')
    const reflection: Reflection = {
      caller,
      forwardedFor: forwardedFor === null ? [] : forwardedFor.split(',').map((entry) => entry.trim()),
      hasForwarded: headers.has('forwarded'),
      paymentHash: payment === null ? null : sha256(payment),
    }
    const isWanted = url.endsWith('?header') && payment !== null && reflected.test(payment)
    return Response.json(reflection, {
      headers: { 'cache-control': 'no-store', ...(isWanted && { 'payment-required': payment }) },
    })
  }
