import { createHash } from 'node:crypto'

/** The `did:web` of an origin; a port is part of it. */
export const toDid = (origin: string): string => `did:web:${encodeURIComponent(new URL(origin).host)}`

/** The id of a key of a host: the DID of the host, and the key's thumbprint (RFC 7638) as the fragment. */
export function toKeyId(origin: string, x: string): string {
  const thumbprint = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
  return `${toDid(origin)}#${thumbprint}`
}

/** `/.well-known/did.json`: all keys that have signed for a host, in the given order, the current one first. */
export function toDidDocument(origin: string, keys: readonly string[]) {
  const id = toDid(origin)
  const verificationMethod = keys.map((x) => {
    const kid = toKeyId(origin, x)
    const publicKeyJwk = { kty: 'OKP', crv: 'Ed25519', x, alg: 'EdDSA', use: 'sig', kid }
    return { id: kid, type: 'JsonWebKey2020', controller: id, publicKeyJwk }
  })
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id,
    verificationMethod,
    assertionMethod: verificationMethod.map((method) => method.id),
  }
}
