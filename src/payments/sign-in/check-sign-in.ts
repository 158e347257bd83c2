import { chainId } from '../../core/chain-constants.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { expiryOf, readSignInMessage } from './sign-in-message.ts'
import { type SignInNonces, skewMs } from './sign-in-nonces.ts'
import { makeUsedSignIns } from './used-sign-ins.ts'

interface Deps {
  readonly db: LedgerDatabase
  readonly now: () => number
  readonly wallets: {
    readonly isSignedText: (wallet: string, text: string, signature: string) => Promise<'yes' | 'no' | 'unknown'>
  }
  readonly nonces: SignInNonces
}

/** A signed message with its signature, and the domain and URI that it must name. */
export interface SignIn {
  readonly message: string
  readonly signature: string
  readonly domain: string
  readonly uri: string
}

/** The wallet that signed in, in lower case; or a sentence that says why none is. */
export type SignedIn =
  | { readonly is: 'wallet'; readonly wallet: string }
  | { readonly is: 'refused'; readonly why: string }
  /** The wallet is a contract that has to check the signature, and the chain does not answer. */
  | { readonly is: 'unknown' }

const refuse = (why: string): SignedIn => ({ is: 'refused', why })

/**
 * Checks a message by which a wallet signs in (EIP-4361): it must carry our nonce, name the expected domain, URI and
 * chain, be fresh, be signed by its wallet, and not have been used before.
 */
export function makeSignInCheck({ db, now, wallets, nonces }: Deps) {
  const { use } = makeUsedSignIns({ db, now })
  /** Why a message is not accepted, apart from its signature; undefined when nothing is wrong with it. */
  const findFault = (fields: NonNullable<ReturnType<typeof readSignInMessage>>, { domain, uri }: SignIn) => {
    const { issuedAt, expirationTime, notBefore } = fields
    if (fields.scheme !== undefined || fields.domain !== domain)
      return `The message is for ${fields.domain}, not for ${domain}`
    if (fields.uri !== uri) return 'The message is for another address'
    if (fields.version !== '1' || fields.chainId !== chainId) return `The message must name chain ${chainId}`
    if (!nonces.isOurs(fields.nonce)) return 'The number in the message was not made out here, or too long ago'
    if (issuedAt.getTime() > now() + skewMs) return 'The message is from the future'
    if (expiryOf(issuedAt).getTime() <= now()) return 'The message is too old'
    if (expirationTime && expirationTime.getTime() <= now()) return 'The message has expired'
    if (notBefore && notBefore.getTime() > now()) return 'The message is not valid yet'
    return undefined
  }

  return async (signIn: SignIn): Promise<SignedIn> => {
    const fields = readSignInMessage(signIn.message)
    if (!fields) return refuse('This is no message as EIP-4361 writes them')
    const fault = findFault(fields, signIn)
    if (fault !== undefined) return refuse(fault)
    const wallet = fields.address.toLowerCase()
    switch (await wallets.isSignedText(wallet, signIn.message, signIn.signature)) {
      case 'no':
        return refuse('The signature is not of this wallet')
      case 'unknown':
        return { is: 'unknown' }
      case 'yes':
    }
    return (await use(wallet, fields)) ? { is: 'wallet', wallet } : refuse('The message was used before')
  }
}

export type CheckSignIn = ReturnType<typeof makeSignInCheck>
