import { z } from 'zod'

const loopback = ['127.0.0.1', '[::1]', 'localhost']
const known = new Set(['sslmode', 'sslrootcert'])

const form = 'must be an address like postgres://user:password@host:5432/database'

/** Whether the address has everything that is needed to find one database on one server. */
function isWhole(text: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return false
  const { hostname, username, pathname, hash } = new URL(text)
  return hostname !== '' && username !== '' && /^\/[^/]+$/.test(pathname) && hash === ''
}

/** Whether user, password and path are percent-encoded correctly: a percent sign in a password has to be `%25`. */
function isReadable(text: string): boolean {
  const { username, password, pathname } = new URL(text)
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

/** Whether the connection is encrypted, stays on this machine, or is explicitly allowed to be unencrypted. */
function isGuarded(text: string): boolean {
  const { hostname, searchParams } = new URL(text)
  const mode = searchParams.get('sslmode')
  return mode === null ? loopback.includes(hostname) : mode === 'verify-full' || mode === 'disable'
}

/** The address of a PostgreSQL database. It contains a password, so no error message repeats any part of it. */
export const databaseUrl = z
  .string()
  .refine(isWhole, { error: form, abort: true })
  .refine(isReadable, {
    error: `${form}; percent-encode special characters in the password, such as %40 for @, and %25 for a percent sign`,
    abort: true,
  })
  .refine((text) => [...new URL(text).searchParams.keys()].every((name) => known.has(name)), {
    error: 'must carry no parameters but sslmode and sslrootcert',
    abort: true,
  })
  .refine(
    isGuarded,
    'must say sslmode=verify-full, or sslmode=disable if the whole network in between is yours, unless it is on this machine',
  )
