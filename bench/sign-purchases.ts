import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { fund } from '../tests/support/hostile-wallets.ts'
import { sign } from '../tests/support/stock-client.ts'
import type { Bench } from './row.ts'

/** Funds of a wallet in micro-USD: more than any measured product costs. */
const purse = 1_000_000n

/**
 * Signs payments for the product at a URL, each with its own funded wallet: a wallet that bought the product before
 * would get it for free.
 *
 * @returns the payment headers
 */
export async function signPurchases({ money }: Pick<Bench, 'money'>, url: string, count: number): Promise<string[]> {
  const signed: string[] = []
  for (let at = 0; at < count; at++) {
    const privateKey = generatePrivateKey()
    await fund(money.rpc, privateKeyToAddress(privateKey), purse)
    signed.push((await sign(url, undefined, { privateKey })).header)
  }
  return signed
}

/**
 * Reads the whole response to a payment.
 *
 * @throws Error when it is not a product, or one that was not charged
 */
export async function readBought(answer: Response): Promise<string> {
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.url} answered a payment with ${answer.status}: ${text}`)
  if (answer.headers.get('x-charged') === 'false') throw new Error(`${answer.url} delivered what its wallet owned`)
  return text
}
