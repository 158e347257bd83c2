import { readFields, readList, readText } from '../browser/read-value.ts'
import type { Authorization } from './kept-purchases.ts'
import { reachChain } from './reach-chain.ts'
import type { Terms } from './read-terms.ts'
import { codeOf, type Wallet } from './wallet.ts'

/** The result of asking a wallet for a signature. */
export type Signed =
  | { readonly is: 'signed'; readonly header: string }
  | { readonly is: 'refused' }
  | { readonly is: 'wrong-chain' }
  /** The page is a sandbox and the wallet is not: a signature would move real money. */
  | { readonly is: 'real-money' }
  /** Another wallet was chosen, but only the same wallet can replace an earlier payment. */
  | { readonly is: 'other-wallet' }
  | { readonly is: 'failed'; readonly reason: string }

/** The longest validity of a signature, in seconds. */
const longestSeconds = 3600

/** Parses the fields of a Solidity struct: `type name,type name`. */
const toFields = (struct: string) =>
  struct.split(',').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })

const types = {
  EIP712Domain: toFields('string name,string version,uint256 chainId,address verifyingContract'),
  TransferWithAuthorization: toFields(
    'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
  ),
}

/**
 * Lets a wallet sign that the shop may collect exactly the price, once, within a few minutes (EIP-3009), and makes the
 * payment header of x402 v2. It sends nothing.
 *
 * @param earlier a payment to replace: the new one has the same nonce, which a token accepts only once
 */
export async function sign(
  wallet: Wallet,
  terms: Terms,
  { isSandbox, earlier }: { isSandbox: boolean; earlier?: Authorization | undefined },
): Promise<Signed> {
  try {
    const [payer] = readList(await wallet.request({ method: 'eth_requestAccounts' })).map(readText)
    if (!payer) return { is: 'refused' }
    if (earlier && earlier.payer.toLowerCase() !== payer.toLowerCase()) return { is: 'other-wallet' }
    const chain = await reachChain(wallet, terms.chainId, isSandbox)
    if (chain !== 'reached') return { is: chain }
    const authorization = authorize(payer, terms, earlier)
    const data = toTypedData(authorization, terms)
    const answer = await wallet.request({ method: 'eth_signTypedData_v4', params: [payer, JSON.stringify(data)] })
    const signature = readText(answer)
    return signature ? { is: 'signed', header: toHeader(terms, authorization, signature) } : { is: 'refused' }
  } catch (error) {
    if (codeOf(error) === 4001) return { is: 'refused' }
    return { is: 'failed', reason: error instanceof Error ? error.message : 'it did not say why' }
  }
}

type Transfer = Readonly<Record<'from' | 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce', string>>

/** Random bytes in hexadecimal. */
const makeRandom = (bytes: number): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

function authorize(
  payer: string,
  { payTo, amount, seconds, lateMs }: Terms,
  earlier: Authorization | undefined,
): Transfer {
  const now = Math.floor((Date.now() + lateMs) / 1000)
  const end = now + Math.min(seconds, longestSeconds)
  return {
    from: payer,
    to: payTo,
    value: amount,
    // Valid at once, even if the clock of this browser is ahead of that of the chain.
    validAfter: '0',
    // Two signatures within one second would be identical, and that one was declined.
    validBefore: String(String(end) === earlier?.validBefore ? end - 1 : end),
    nonce: earlier?.nonce ?? `0x${makeRandom(32)}`,
  }
}

const toTypedData = (message: Transfer, { name, version, chainId, asset }: Terms) => ({
  types,
  primaryType: 'TransferWithAuthorization',
  domain: { name, version, chainId, verifyingContract: asset },
  message,
})

function toHeader({ required, accepted }: Terms, authorization: Transfer, signature: string): string {
  const { resource } = required
  const payload = { signature, authorization }
  const json = JSON.stringify({ x402Version: 2, resource, accepted, payload, extensions: nameIt(required) })
  // Base64 of UTF-8, because a description may contain any letters.
  return btoa(String.fromCharCode(...new TextEncoder().encode(json)))
}

/** The extensions of the 402, with a new id for this payment where the shop supports payment identifiers. */
function nameIt({ extensions }: Terms['required']): Readonly<Record<string, unknown>> {
  const all = readFields(extensions)
  const named = readFields(all['payment-identifier'])
  if (!('info' in named)) return all
  const id = `pay_${makeRandom(16)}`
  return { ...all, 'payment-identifier': { ...named, info: { ...readFields(named['info']), id } } }
}
