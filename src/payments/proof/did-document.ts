import { createHash } from 'node:crypto'

/** What a host is called by whoever resolves `did:web`: a port is part of the name. */
export const toDid = (origin: string): string => `did:web:${encodeURIComponent(new URL(origin).host)}`

/** Names a key of a host: its document, and the key's thumbprint (RFC 7638) in it. */
export function toKeyId(origin: string, x: string): string {
  const thumbprint = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
  return `${toDid(origin)}#${thumbprint}`
}

/** `/.well-known/did.json`: every key that signs for a host now or did so before, the present one first. */
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
