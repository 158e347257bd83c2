import { findNewerVersion, StorageError } from '../storage-error.ts'

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const sentences: Readonly<Record<string, string>> = {
  '28P01': 'the server does not let us in; look at the user and the password in DATABASE_URL',
  '28000': 'the server does not let us in; look at the user and the password in DATABASE_URL',
  '3D000': 'the server has no such database; create it, or name another in DATABASE_URL',
  '42501': 'its user may not make what is needed there; make it the owner of the database',
  '53300': 'the server takes no more connections; raise its max_connections, or run fewer programs',
  '53100': 'the disk of the server is full; free some space',
  '25006': 'the server takes no writes; name the primary',
  '57P03': 'the server is starting or stopping; start again when it is ready',
  '55P03': 'another program holds its tables for too long; start again',
}

const unreached = 'the server cannot be reached; is it running, and is the address in DATABASE_URL right?'

/** Why a database cannot be used, without its password. Messages of libraries about connections are not quoted. */
export function toPostgresSentence(cause: unknown): string {
  for (let at = cause; at instanceof Error; at = at.cause) {
    if (at instanceof StorageError) return at.message
    const sentence = findNewerVersion(at.message) ?? sentences[codeOf(at)]
    if (sentence !== undefined) return sentence
    if (/^E[A-Z]+$/.test(codeOf(at)) || /timeout|timed out|terminated/i.test(at.message)) return unreached
    if (/SSL|TLS|certificate|self.signed/i.test(at.message) || /^(ERR_TLS|CERT_|UNABLE_|DEPTH_)/.test(codeOf(at)))
      return 'the server shows no certificate that can be believed; look at sslmode and sslrootcert in DATABASE_URL'
    if (at.name === 'error' || codeOf(at) !== '') return at.message
  }
  return unreached
}
