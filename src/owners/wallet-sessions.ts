import { randomBytes } from 'node:crypto'
import { sha256 } from '../core/sha256.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** How long somebody stays signed in. */
const sessionMinutes = 60

/**
 * Who is signed in with a wallet, by a cookie that is kept as its hash only. Over https its name binds it to this host
 * (`__Host-`); a sandbox on plain http has no such cookies.
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
    /** @returns the `Set-Cookie` of a new session */
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
    /** The wallet that a request is signed in with. */
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
     * Ends all sessions of the wallet, wherever its cookie went.
     *
     * @returns the `Set-Cookie` that takes the cookie away
     */
    async end(request: Request): Promise<string> {
      const wallet = await this.find(request)
      if (wallet !== undefined) await db.deleteFrom('wallet_session').where('wallet', '=', wallet).execute()
      return `${name}=; Max-Age=0; ${attributes}`
    },
  }
}
