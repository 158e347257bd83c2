import { type Address, createPublicClient, getAddress, type Hex, isHex, recoverMessageAddress } from 'viem'
import { rpcTransport } from '../http/rpc-transport.ts'
import type { OauthRecords } from './oauth-records.ts'
import { type Asking, toSignInMessage } from './sign-in-message.ts'

const kind = 'WalletProof'
const rpcTimeoutMs = 5000
/** The largest signature in characters; those of contract wallets are longer than others but far from this. */
const maxSignature = 16_384

interface Options {
  readonly records: Pick<OauthRecords, 'keepOnce'>
  readonly baseUrl: string
  readonly payTo: string
  readonly rpcUrl: string
  readonly key: Buffer
  readonly now: () => number
}

/** The result of checking a signature, and the texts for those that are not accepted. */
type Proven = 'good' | keyof typeof refusals

export const refusals = {
  wrong: 'This is not a signature of the message by the wallet that is paid.',
  used: 'This signature was used before. Sign the message shown here now.',
  unknown:
    'This is not a signature by a key of the wallet that is paid, and the chain does not answer, which knows whether that is a contract. Try again in a moment.',
} as const

/**
 * Proofs that somebody controls the wallet that is paid (EIP-4361). The message is made here, one for each sign-in, and
 * only its signature is accepted, so a signed message of another site, client or time cannot be used.
 */
export function makeWalletProofs({ records, baseUrl, payTo, rpcUrl, key, now }: Options) {
  const address: Address = getAddress(payTo)
  const transport = rpcTransport(rpcUrl, { timeoutMs: rpcTimeoutMs, retryCount: 0 })
  // Off-chain lookups that a contract asks for (ERC-3668) are not made.
  const client = createPublicClient({ transport, ccipRead: false })
  const toMessage = (asking: Asking): string => toSignInMessage(asking, { baseUrl, address, key })

  /**
   * Most wallets are plain accounts. A contract wallet is asked itself, whether deployed or not (ERC-1271, ERC-6492).
   */
  async function judge(message: string, signature: Hex): Promise<'good' | 'wrong' | 'unknown'> {
    const signer = await recoverMessageAddress({ message, signature }).catch(() => undefined)
    if (signer === address) return 'good'
    const asked = { address, message, signature, time: new Date(now()) }
    if (await client.verifySiweMessage(asked).catch(() => false)) return 'good'
    // The library returns false even when the node does not answer, so this is checked separately.
    return client.getCode({ address }).then(
      () => 'wrong',
      () => 'unknown',
    )
  }

  return {
    /** The message to sign for one sign-in. */
    message: toMessage,
    /** Whether the wallet signed the message of this sign-in. Each message counts once. */
    async use(asking: Asking, signature: string): Promise<Proven> {
      const text = signature.trim()
      if (!isHex(text) || text.length > maxSignature) return 'wrong'
      const judged = await judge(toMessage(asking), text)
      if (judged !== 'good') return judged
      return (await records.keepOnce(kind, asking.uid, asking.expiresAt)) ? 'good' : 'used'
    },
  }
}

export type WalletProofs = ReturnType<typeof makeWalletProofs>
