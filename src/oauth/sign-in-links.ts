import { randomBytes } from 'node:crypto'
import type { OauthRecords } from './oauth-records.ts'
import { oauthPaths } from './places.ts'

const kind = 'SignInLink'
const lifetimeMs = 10 * 60 * 1000

/** Links that sign the operator in once. Whoever can make one can write the ledger, and so is the operator. */
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
    /** Whether the last part of a link is of one that can still be used. */
    async isGood(key: string): Promise<boolean> {
      const kept = await records.find(kind, key)
      return kept !== undefined && kept.consumed_at === null
    },
    /** Uses a link, or the last part of one, up; false when it was used before, has expired or never was. */
    use(link: string): Promise<boolean> {
      const text = link.trim()
      return records.consume(kind, text.startsWith(folder) ? text.slice(folder.length) : text)
    },
  }
}

export type SignInLinks = ReturnType<typeof makeSignInLinks>
