import { randomBytes } from 'node:crypto'
import { sha256 } from '../core/sha256.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** How long a session lasts, in minutes. */
const sessionMinutes = 60

/**
 * Sessions of wallets, by a cookie of which only the hash is stored. Over https the `__Host-` prefix of its name binds
 * it to this host; browsers do not accept that prefix from a sandbox on plain http.
 */
export function makeWalletSessions({ db, now, baseUrl }: { db: LedgerDatabase; now: () => number; baseUrl: string }) {
  const isSecure = baseUrl.startsWith('https:')
  const name = isSecure ? '__Host-library' : 'library'
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  const tokenOf = (request: Request): string | undefined =>
    (request.headers.get('cookie') ?? '')
      .split(/;\s*/)
      .find((pair) => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1)
  const hash = (token: string): string => sha256('library', token)

  return {
    /**
     * Begins a session.
     *
     * @returns its `Set-Cookie` value
     */
    async begin(wallet: string): Promise<string> {
      await db.deleteFrom('wallet_session').where('until', '<=', now()).execute()
      const token = randomBytes(32).toString('base64url')
      const until = now() + sessionMinutes * 60 * 1000
      await db
        .insertInto('wallet_session')
        .values({ id_hash: hash(token), wallet, until })
        .execute()
      return `${name}=${token}; Max-Age=${sessionMinutes * 60}; ${attributes}`
    },
    /** The wallet of the session that a request belongs to; undefined without a valid session. */
    async find(request: Request): Promise<string | undefined> {
      const token = tokenOf(request)
      if (token === undefined) return undefined
      const row = await db
        .selectFrom('wallet_session')
        .select('wallet')
        .where('id_hash', '=', hash(token))
        .where('until', '>', now())
        .executeTakeFirst()
      return row?.wallet
    },
    /**
     * Ends all sessions of the wallet of a request, in all browsers.
     *
     * @returns the `Set-Cookie` value that removes the cookie
     */
    async end(request: Request): Promise<string> {
      const wallet = await this.find(request)
      if (wallet !== undefined) await db.deleteFrom('wallet_session').where('wallet', '=', wallet).execute()
      return `${name}=; Max-Age=0; ${attributes}`
    },
  }
}
