import { readList, readText } from '../read-value.ts'
import type { Authorization } from './kept-purchases.ts'
import type { Terms } from './read-terms.ts'
import { isRefusal, type Wallet } from './wallet.ts'

/** How asking a wallet for a signature went. */
export type Signed =
  | { readonly is: 'signed'; readonly header: string }
  | { readonly is: 'refused' }
  | { readonly is: 'wrong-chain' }
  /** The page is a sandbox and the wallet is not: a signature would move real money. */
  | { readonly is: 'real-money' }
  /** A payment takes the place of another only when the same wallet signs it. */
  | { readonly is: 'other-wallet' }
  | { readonly is: 'failed'; readonly reason: string }

/** A chain that was made for a sandbox is young; Base passed this number within weeks of its birth. */
const youngChainBlocks = 1_000_000

/** No signature can be collected for longer. */
const longestSeconds = 3600

const authorizationType = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]

const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/**
 * Lets a wallet sign that the shop may collect exactly the price, once, within a few minutes (EIP-3009), and makes the
 * header of x402 v2 from it. Nothing is sent anywhere by this.
 *
 * @param earlier a payment whose place it takes: under the same nonce, of which a token honours one use
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
    if (!(await isOnChain(wallet, terms.chainId))) return { is: 'wrong-chain' }
    if (isSandbox && !(await isYoungChain(wallet))) return { is: 'real-money' }
    const authorization = authorize(payer, terms, earlier?.nonce ?? makeNonce())
    const data = toTypedData(authorization, terms)
    const signature = await wallet.request({ method: 'eth_signTypedData_v4', params: [payer, JSON.stringify(data)] })
    return { is: 'signed', header: toHeader(terms, authorization, readText(signature)) }
  } catch (error) {
    if (isRefusal(error)) return { is: 'refused' }
    return { is: 'failed', reason: error instanceof Error ? error.message : 'the wallet did not say why' }
  }
}

async function isOnChain(wallet: Wallet, chainId: number): Promise<boolean> {
  const hex = `0x${chainId.toString(16)}`
  const current = async () => Number(await wallet.request({ method: 'eth_chainId' }))
  if ((await current()) === chainId) return true
  try {
    await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hex }] })
  } catch (error) {
    if (isRefusal(error)) throw error
    return false
  }
  return (await current()) === chainId
}

const isYoungChain = async (wallet: Wallet): Promise<boolean> =>
  Number(await wallet.request({ method: 'eth_blockNumber' })) < youngChainBlocks

type Transfer = Readonly<Record<'from' | 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce', string>>

const makeNonce = (): string =>
  `0x${[...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

function authorize(payer: string, { payTo, amount, seconds }: Terms, nonce: string): Transfer {
  const now = Math.floor(Date.now() / 1000)
  return {
    from: payer,
    to: payTo,
    value: amount,
    // Clocks differ by some minutes.
    validAfter: String(now - 600),
    validBefore: String(now + Math.min(seconds, longestSeconds)),
    nonce,
  }
}

const toTypedData = (message: Transfer, { name, version, chainId, asset }: Terms) => ({
  types: { EIP712Domain: domainType, TransferWithAuthorization: authorizationType },
  primaryType: 'TransferWithAuthorization',
  domain: { name, version, chainId, verifyingContract: asset },
  message,
})

function toHeader({ required, accepted }: Terms, authorization: Transfer, signature: string): string {
  const { resource, extensions } = required
  const payload = { signature, authorization }
  const json = JSON.stringify({ x402Version: 2, resource, accepted, payload, extensions })
  // Base64 of bytes: a description may hold more than Latin letters.
  return btoa(String.fromCharCode(...new TextEncoder().encode(json)))
}
