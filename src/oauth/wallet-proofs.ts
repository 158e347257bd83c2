import { randomBytes } from 'node:crypto'
import { type Address, createPublicClient, getAddress, type Hex, http, isHex, recoverMessageAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { z } from 'zod'
import { chainId } from '../chain-constants.ts'
import type { OauthRecords } from './oauth-records.ts'

const kind = 'WalletMessage'
const lifetimeMs = 10 * 60 * 1000
const rpcTimeoutMs = 5000
/** Contract wallets wrap signatures of their owners; none comes near this. */
const maxSignature = 16_384

const messageSchema = z.object({ message: z.string() })

interface Options {
  readonly records: OauthRecords
  readonly baseUrl: string
  readonly payTo: string
  readonly rpcUrl: string
  readonly now: () => number
}

/**
 * Proofs that somebody holds the wallet that is paid (EIP-4361). The message is ours and is kept until it is signed;
 * what comes back is the signature alone, so no message of another site or of another moment can be put in its place.
 */
export function makeWalletProofs({ records, baseUrl, payTo, rpcUrl, now }: Options) {
  const address: Address = getAddress(payTo)
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: rpcTimeoutMs, retryCount: 0 }) })

  /** Most wallets are a key. A contract is asked itself, deployed or not (ERC-1271, ERC-6492). */
  async function isSigned(message: string, signature: Hex): Promise<boolean> {
    const signer = await recoverMessageAddress({ message, signature }).catch(() => undefined)
    if (signer === address) return true
    return client.verifySiweMessage({ address, message, signature, time: new Date(now()) }).catch(() => false)
  }

  return {
    /** The message to sign for one sign-in; the same one until it has expired. */
    async message(uid: string): Promise<string> {
      const kept = await records.find(kind, uid)
      if (kept) return messageSchema.parse(JSON.parse(kept.payload)).message
      const issuedAt = now()
      const expiresAt = issuedAt + lifetimeMs
      const message = createSiweMessage({
        domain: new URL(baseUrl).host,
        address,
        statement: 'Sign in as the operator. This moves no money.',
        uri: `${baseUrl}/oauth/sign-in`,
        version: '1',
        chainId,
        nonce: randomBytes(16).toString('hex'),
        issuedAt: new Date(issuedAt),
        expirationTime: new Date(expiresAt),
      })
      await records.keep(kind, uid, { payload: JSON.stringify({ message }), expiresAt })
      return message
    },
    /** Whether the wallet signed the message of this sign-in. Each message counts once. */
    async use(uid: string, signature: string): Promise<boolean> {
      const text = signature.trim()
      const kept = await records.find(kind, uid)
      if (!kept || !isHex(text) || text.length > maxSignature) return false
      const { message } = messageSchema.parse(JSON.parse(kept.payload))
      return (await isSigned(message, text)) && records.consume(kind, uid)
    },
  }
}

export type WalletProofs = ReturnType<typeof makeWalletProofs>
