import { type KeyObject, randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import type { SignRequest } from './sign-request.ts'

/** The lifetime of a token, as in Coinbase's own libraries. */
const lifetimeSeconds = 120

interface Options {
  readonly id: string
  readonly secret: () => KeyObject
  readonly now?: () => number
}

/**
 * Signs requests to the Coinbase Developer Platform with a JWT for one method and URL, valid for two minutes, by EdDSA
 * or, for an EC key, ES256. Header and claims are those of `generateJwt` in @coinbase/cdp-sdk 1.57.0, which is not used
 * because it depends on wallets for other chains.
 *
 * @see https://docs.cdp.coinbase.com/get-started/authentication/jwt-authentication
 */
export const makeCdpSigner =
  ({ id, secret, now = Date.now }: Options): SignRequest =>
  async (method, url) => {
    const { host, pathname } = new URL(url)
    const key = secret()
    const at = Math.floor(now() / 1000)
    const alg = key.asymmetricKeyType === 'ec' ? 'ES256' : 'EdDSA'
    const token = await new SignJWT({ uris: [`${method} ${host}${pathname}`] })
      .setProtectedHeader({ alg, kid: id, typ: 'JWT', nonce: randomBytes(16).toString('hex') })
      .setIssuer('cdp')
      .setSubject(id)
      .setIssuedAt(at)
      .setNotBefore(at)
      .setExpirationTime(at + lifetimeSeconds)
      .sign(key)
    return { authorization: `Bearer ${token}` }
  }
