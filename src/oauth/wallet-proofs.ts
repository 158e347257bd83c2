import { type Address, createPublicClient, getAddress, type Hex, http, isHex, recoverMessageAddress } from 'viem'
import type { OauthRecords } from './oauth-records.ts'
import { type Asking, toSignInMessage } from './sign-in-message.ts'

const kind = 'WalletProof'
const rpcTimeoutMs = 5000
/** Contract wallets wrap signatures of their owners; none comes near this. */
const maxSignature = 16_384

interface Options {
  readonly records: Pick<OauthRecords, 'keepOnce'>
  readonly baseUrl: string
  readonly payTo: string
  readonly rpcUrl: string
  readonly key: Buffer
  readonly now: () => number
}

/**
 * Proofs that somebody holds the wallet that is paid (EIP-4361). The message is ours, one for each sign-in; what comes
 * back is the signature alone, so no message of another site, program or moment can be put in its place.
 */
export function makeWalletProofs({ records, baseUrl, payTo, rpcUrl, key, now }: Options) {
  const address: Address = getAddress(payTo)
  const transport = http(rpcUrl, { timeout: rpcTimeoutMs, retryCount: 0 })
  // What a contract names to be fetched (ERC-3668) is not.
  const client = createPublicClient({ transport, ccipRead: false })
  const toMessage = (asking: Asking): string => toSignInMessage(asking, { baseUrl, address, key })

  /** Most wallets are a key. A contract is asked itself, deployed or not (ERC-1271, ERC-6492). */
  async function isSigned(message: string, signature: Hex): Promise<boolean> {
    const signer = await recoverMessageAddress({ message, signature }).catch(() => undefined)
    if (signer === address) return true
    return client.verifySiweMessage({ address, message, signature, time: new Date(now()) }).catch(() => false)
  }

  return {
    /** The message to sign for one sign-in. */
    message: toMessage,
    /** Whether the wallet signed the message of this sign-in. Each message counts once. */
    async use(asking: Asking, signature: string): Promise<boolean> {
      const text = signature.trim()
      if (!isHex(text) || text.length > maxSignature) return false
      return (await isSigned(toMessage(asking), text)) && records.keepOnce(kind, asking.uid, asking.expiresAt)
    },
  }
}

export type WalletProofs = ReturnType<typeof makeWalletProofs>
