import { readFileSync } from 'node:fs'
import type { PoolConfig } from 'pg'
import { StorageError } from '../storage-error.ts'

/** How to connect to a database, and its name for messages, without its password. */
export interface Connection {
  readonly config: PoolConfig
  readonly name: string
}

/**
 * Parses the URL of a database, which the settings have already checked.
 *
 * @throws StorageError when the file of its certificate authority cannot be read
 */
export function toConnection(url: string): Connection {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const database = decodeURIComponent(pathname.slice(1))
  const authority = searchParams.get('sslrootcert')
  const isEncrypted = searchParams.get('sslmode') === 'verify-full'
  return {
    name: `${database} at ${hostname}${port === '' ? '' : `:${port}`}`,
    config: {
      host,
      port: port === '' ? 5432 : Number(port),
      user: decodeURIComponent(username),
      // Set even when empty: otherwise pg would take one from the environment or a password file.
      password: decodeURIComponent(password),
      database,
      ssl: isEncrypted && (authority === null ? true : { ca: readAuthority(authority) }),
    },
  }
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new StorageError(`the file ${file}, which sslrootcert in DATABASE_URL names, cannot be read`, { cause })
  }
}
