/** Why a request to a public address got no response. */
export type Unreached =
  /** Nothing listens there, or nothing responds: the program may not run yet. */
  | 'nobody'
  /** The name does not resolve: the check of names reports it. */
  | 'no-name'
  /** The certificate is not trusted: the check of certificates reports it. */
  | 'no-trust'
  /** The response was cut off, or could not be read. */
  | 'broken'

const nobody = new Set([
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'],
  'TimeoutError',
])
const noName = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'])
const noTrust = /^(?:CERT_|ERR_TLS_|ERR_SSL_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/

/** Sorts the error of a client: of Node.js, of `fetch`, or of a socket. */
export function whyUnreached(error: unknown): Unreached {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const [inner] = at instanceof AggregateError ? at.errors : []
    for (const each of [at, inner]) {
      if (!(each instanceof Error)) continue
      const code = 'code' in each && typeof each.code === 'string' ? each.code : each.name
      if (nobody.has(code)) return 'nobody'
      if (noName.has(code)) return 'no-name'
      if (noTrust.test(code)) return 'no-trust'
    }
  }
  return 'broken'
}
