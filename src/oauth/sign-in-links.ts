import { randomBytes } from 'node:crypto'
import type { OauthRecords } from './oauth-records.ts'
import { oauthPaths } from './places.ts'

const kind = 'SignInLink'
const lifetimeMs = 10 * 60 * 1000

/**
 * Links that sign the operator in once. To make one, a program needs write access to the database, which only the
 * operator has.
 */
export function makeSignInLinks({
  records,
  baseUrl,
  now,
}: {
  records: OauthRecords
  baseUrl: string
  now: () => number
}) {
  const folder = baseUrl + oauthPaths.link
  return {
    async make(): Promise<string> {
      const key = randomBytes(32).toString('base64url')
      await records.keep(kind, key, { payload: '{}', expiresAt: now() + lifetimeMs })
      return folder + key
    },
    /** Whether the key of a link (its last segment) can still be used. */
    async isGood(key: string): Promise<boolean> {
      const kept = await records.find(kind, key)
      return kept !== undefined && kept.consumed_at === null
    },
    /** Uses up a link, or the key of one; false when it was used before, has expired or never existed. */
    use(link: string): Promise<boolean> {
      const text = link.trim()
      return records.consume(kind, text.startsWith(folder) ? text.slice(folder.length) : text)
    },
  }
}

export type SignInLinks = ReturnType<typeof makeSignInLinks>
