/** Why a request to a public address got no answer. */
export type Unreached =
  /** Nobody listens there, or nobody answers: what is to answer may not run yet. */
  | 'nobody'
  /** The name leads nowhere: the check of names says so. */
  | 'no-name'
  /** No trust: the check of certificates says so. */
  | 'no-trust'
  /** The answer was broken off, or could not be read. */
  | 'broken'

const nobody = new Set([
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'],
  'TimeoutError',
])
const noName = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'])
const noTrust = /^(?:CERT_|ERR_TLS_|ERR_SSL_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/

/** Reads the error of a client: Node's, of `fetch`, or of a socket. */
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
