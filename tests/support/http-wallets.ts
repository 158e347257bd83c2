import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { signTerms, termsSchema } from './sign-terms.ts'
import { decodeHeader, encodeHeader, payingFetch } from './stock-client.ts'

/** A fetch that pays with a key. */
export type HttpWallet = (privateKey: Hex) => typeof fetch

const requiredSchema = z.looseObject({
  x402Version: z.literal(2),
  resource: z.unknown(),
  accepts: z.tuple([termsSchema]).rest(z.unknown()),
  extensions: z.unknown(),
})

/** Replays a client with its own signing code: the age of its signatures in seconds, and the fields it echoes. */
const replay =
  (secondsAgo: number, echoes: readonly ('resource' | 'extensions')[]): HttpWallet =>
  (privateKey) =>
  async (input, init) => {
    const asked = await fetch(input, init)
    if (asked.status !== 402) return asked
    await asked.arrayBuffer()
    const required = requiredSchema.parse(decodeHeader(asked.headers.get('payment-required')))
    const [accepted] = required.accepts
    const payload = await signTerms(
      privateKeyToAccount(privateKey),
      accepted,
      Math.floor(Date.now() / 1000) - secondsAgo,
    )
    const echoed = Object.fromEntries(echoes.map((name) => [name, required[name]]))
    const headers = new Headers(init?.headers)
    headers.set('payment-signature', encodeHeader({ x402Version: 2, accepted, payload, ...echoed }))
    return fetch(input, { ...init, headers })
  }

/** Clients that pay over HTTP: the reference client, and others replayed from their source where they differ. */
export const httpWallets: readonly (readonly [name: string, wallet: HttpWallet])[] = [
  ['@x402/fetch 2.27', (privateKey) => payingFetch(privateKey)],
  // @x402/axios 2.11 (@x402/evm 2.11, exact/client) and mppx 0.11 (x402/client/Exact.ts).
  ['@x402/axios 2.11 and mppx 0.11, replayed', replay(600, ['resource', 'extensions'])],
  // @faremeter/fetch 0.22 (fetch/src/internal.ts, payment-evm/src/exact/client.ts).
  ['@faremeter/fetch 0.22, replayed', replay(60, ['resource'])],
]
