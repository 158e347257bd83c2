import { createHmac } from 'node:crypto'
import type { Address } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { chainId } from '../core/chain-constants.ts'
import { operatorScope } from './places.ts'

/** One sign-in that waits for the operator's wallet. */
export interface Asking {
  /** The id of the sign-in, which nobody can guess. */
  readonly uid: string
  /** The name that the client chose. */
  readonly client: string | undefined
  /** The address that the browser is redirected to afterwards. */
  readonly redirect: URL
  /** Milliseconds since 1970. */
  readonly issuedAt: number
  readonly expiresAt: number
}

/** The site, and the wallet that may sign in to it. */
interface SignedInTo {
  readonly baseUrl: string
  readonly address: Address
  /** The key of this installation from which nonces are derived. */
  readonly key: Buffer
}

const maxName = 40

/**
 * Wallets show one line of plain letters (EIP-4361). Brackets in the name are replaced, because the message puts the
 * name in brackets.
 */
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
 * The message that the wallet signs for one sign-in; the same sign-in always gives the same message. It names the
 * client and the host of the redirect, so that somebody who is tricked into signing it elsewhere can see for whom it
 * is. It is derived again when the signature arrives, so nothing is stored for requests that are never signed.
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
