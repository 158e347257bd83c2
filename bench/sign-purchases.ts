import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { fund } from '../tests/support/hostile-wallets.ts'
import { sign } from '../tests/support/stock-client.ts'
import type { Bench } from './row.ts'

/** More than any product that is measured costs, in millionths of a dollar. */
const purse = 1_000_000n

/**
 * Signs payments for the product at an address, each with a wallet of its own that has money for it: a wallet that
 * bought something before owns it, and would get it for nothing.
 *
 * @returns their headers
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
 * Reads the answer to a payment to its last byte.
 *
 * @throws Error when it is no product, or one that was not paid for
 */
export async function readBought(answer: Response): Promise<string> {
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.url} answered a payment with ${answer.status}: ${text}`)
  if (answer.headers.get('x-charged') === 'false') throw new Error(`${answer.url} delivered what its wallet owned`)
  return text
}
