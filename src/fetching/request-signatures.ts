import { createHash, createPublicKey, randomBytes, sign } from 'node:crypto'
import { z } from 'zod'
import { deriveEd25519Key } from '../core/ed25519-key.ts'

/** How long a signature is valid: enough for a connection, and for clocks that differ. */
const lastsSeconds = 300
const jwkSchema = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })

interface Options {
  readonly secret: string
  /** Names the sender of the requests: the origin that serves the directory of keys. */
  readonly agent: string
  /** Wall clock, in milliseconds. */
  readonly now: () => number
}

/** The signed components: from the identifier (quoted, with its parameters) to the value as it is sent. */
type Components = Readonly<Record<string, string>>

/** Makes the headers that show who sends a request, and where to find the key that proves it. */
export type RequestSigner = ReturnType<typeof makeRequestSignatures>['sign']

/**
 * Signs the requests of our programs (Web Bot Auth: HTTP Message Signatures, RFC 9421, with Ed25519), so that sites can
 * tell them from others that use the same `User-Agent`.
 */
export function makeRequestSignatures({ secret, agent, now }: Options) {
  const privateKey = deriveEd25519Key(secret, 'farthing request signatures')
  const { kty, crv, x } = jwkSchema.parse(createPublicKey(privateKey).export({ format: 'jwk' }))
  // RFC 7638: the members in this order, without spaces.
  const keyid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
  const keys = { keys: [{ kty, crv, x, kid: keyid, alg: 'EdDSA', use: 'sig' }] }

  const signComponents = (components: Components, tag: string) => {
    const created = Math.floor(now() / 1000)
    const nonce = randomBytes(32).toString('base64')
    const named = Object.keys(components).join(' ')
    const parameters = `(${named});created=${created};expires=${created + lastsSeconds};keyid="${keyid}";alg="ed25519";nonce="${nonce}";tag="${tag}"`
    const lines = Object.entries(components).map(([name, value]) => `${name}: ${value}`)
    const base = [...lines, `"@signature-params": ${parameters}`].join('\n')
    const signature = sign(null, Buffer.from(base), privateKey).toString('base64')
    return { 'signature-input': `sig1=${parameters}`, signature: `sig1=:${signature}:` }
  }

  return {
    /** The signature headers of one request. They are for one host, so each redirect is signed again. */
    sign(url: URL): Readonly<Record<string, string>> {
      const signatureAgent = JSON.stringify(agent)
      const components = { '"@authority"': url.host, '"signature-agent"': signatureAgent }
      return { 'signature-agent': signatureAgent, ...signComponents(components, 'web-bot-auth') }
    },
    /**
     * `/.well-known/http-message-signatures-directory`: our key, in a response that it signs for the host of `agent`.
     */
    directory(): Response {
      const proof = signComponents({ '"@authority";req': new URL(agent).host }, 'http-message-signatures-directory')
      return new Response(JSON.stringify(keys), {
        headers: {
          'content-type': 'application/http-message-signatures-directory+json',
          'cache-control': 'public, max-age=60',
          ...proof,
        },
      })
    },
  }
}
