import { createHmac } from 'node:crypto'
import type { Address } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { chainId } from '../core/chain-constants.ts'
import { operatorScope } from './places.ts'

/** One sign-in that waits for the operator's wallet. */
export interface Asking {
  /** Of the sign-in; nobody knows it beforehand. */
  readonly uid: string
  /** What the program calls itself. */
  readonly client: string | undefined
  /** Where the answer is sent. */
  readonly redirect: URL
  /** Milliseconds. */
  readonly issuedAt: number
  readonly expiresAt: number
}

/** Who is signed in to, and the wallet that may. */
interface SignedInTo {
  readonly baseUrl: string
  readonly address: Address
  /** Of this installation. */
  readonly key: Buffer
}

const maxName = 40

/** What a wallet shows is one line of plain letters (EIP-4361); brackets of its own would let a name speak beyond them. */
function toPlainName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\w .-]/g, '?')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length > maxName ? `${plain.slice(0, maxName)}...` : plain
}

/**
 * The message that the wallet signs for one sign-in, always the same one. It says which program gets what and where
 * the answer goes, so that whoever is brought to sign it elsewhere can see for whom; it is derived anew when its
 * signature comes, so that nothing is kept for those who only ask.
 */
export function toSignInMessage({ uid, client, redirect, issuedAt, expiresAt }: Asking, site: SignedInTo): string {
  const { baseUrl, address, key } = site
  const program = client === undefined ? 'a program without a name' : `the program [${toPlainName(client)}]`
  return createSiweMessage({
    domain: new URL(baseUrl).host,
    address,
    statement: `Let ${program}, which hears the answer at ${redirect.host}, act as the operator (scope: ${operatorScope}). This moves no money.`,
    uri: `${baseUrl}/oauth/sign-in`,
    version: '1',
    chainId,
    nonce: createHmac('sha256', key).update(uid).digest('hex').slice(0, 32),
    issuedAt: new Date(issuedAt),
    expirationTime: new Date(expiresAt),
    requestId: uid,
  })
}
