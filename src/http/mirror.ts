import { z } from 'zod'
import { Problem } from '../core/problem.ts'
import { sha256 } from '../core/sha256.ts'
import { isPass } from './mirror-pass.ts'

/** What a program received of a request. */
export const reflectionSchema = z.object({
  /** The address that rate limits count the request against. */
  caller: z.string(),
  /** `X-Forwarded-For` as it arrived, split at commas: each proxy adds an entry. */
  forwardedFor: z.array(z.string()),
  /** Whether there was a `Forwarded` header, which the programs ignore. */
  hasForwarded: z.boolean(),
  /** The hash of `PAYMENT-SIGNATURE`; null when it did not arrive. */
  paymentHash: z.string().nullable(),
})

/** A value of `reflectionSchema`. */
export type Reflection = z.output<typeof reflectionSchema>

/** The values that are safe to send back as a header. */
const reflected = /^[\w+/=-]{1,16384}$/

interface Options {
  readonly secret: string
  /** The public address of this program. */
  readonly origin: string
  readonly now: () => number
}

interface Asked {
  readonly url: string
  /** The headers as they came over the connection. */
  readonly headers: Headers
  /** The address of the peer, or the one that a trusted proxy names. */
  readonly caller: string
}

/**
 * Handles `/api/mirror`: it reports what arrived of a request, so that `npm run doctor` can compare this with what it
 * sent. With `?header` the payment header is sent back as `PAYMENT-REQUIRED`.
 *
 * @throws Problem `not-found` without a valid pass, as for a path that does not exist
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
