import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { openPostgres } from './open-postgres.ts'

/**
 * How much each client has used of each rate limit. An unlogged table: a crash of the server empties it, which is no
 * great loss.
 */
interface LimitUseTable {
  client: string
  name: string
  /** As of `at`, which is in seconds since 1970 by the server's clock; `per_second` of it is given back over time. */
  used: number
  at: number
  per_second: number
  /** Upper bound of `used`. */
  most: number
}

interface SitesSchema {
  limit_use: LimitUseTable
}

const migrations: Record<string, Migration> = {
  '001_limits': {
    async up(db: Kysely<unknown>) {
      // Rows are updated often: free space in each page lets PostgreSQL put the new version beside the old one.
      await sql`create unlogged table limit_use (
        client text not null, name text not null, used float8 not null, at float8 not null,
        per_second float8 not null, most float8 not null, primary key (client, name)
      ) with (fillfactor = 50)`.execute(db)
    },
  },
}

interface Use {
  readonly client: string
  readonly name: string
  readonly used: number
  readonly perSecond: number
  readonly most: number
}

/** Two connections for queries that a request waits for, and one for the rest. */
const mostConnections = 3
const forgetEveryMs = 60_000
const seconds = sql<number>`extract(epoch from clock_timestamp())::float8`
const left = sql<number>`greatest(0, used - greatest(0, ${seconds} - at) * per_second)`

/**
 * Opens the counters, shared by all programs on one database, of how much their clients use of rate limits. They are
 * not part of the books.
 *
 * @throws StorageError when the database cannot be used
 */
export async function openLimitUses(url: string) {
  const options = { what: 'limits', schema: 'sites', durability: 'normal', migrations, most: mostConnections } as const
  const db = await openPostgres<SitesSchema>(url, options)

  /** Deletes the rows whose use has been given back completely. */
  async function forget(): Promise<void> {
    await sql`delete from limit_use where ctid = any(array(
      select ctid from limit_use where used <= (${seconds} - at) * per_second for update skip locked
    ))`.execute(db)
  }
  // A failure needs no report: the next `add` fails as well, and its caller reports that.
  const timer = setInterval(() => void forget().catch(() => {}), forgetEveryMs).unref()

  return {
    /** Adds uses, at most one per client and limit. Returns the total of each with the uses in all other programs. */
    async add(uses: readonly Use[]): Promise<number[]> {
      const of = <Key extends keyof Use>(key: Key) => uses.map((use) => use[key])
      // All programs lock rows in the same order, so that they cannot deadlock.
      const { rows } = await sql<Pick<LimitUseTable, 'client' | 'name' | 'used'>>`
        insert into limit_use as kept (client, name, used, at, per_second, most)
        select client, name, least(used, most), ${seconds}, per_second, most
        from unnest(${of('client')}::text[], ${of('name')}::text[], ${of('used')}::float8[],
          ${of('perSecond')}::float8[], ${of('most')}::float8[]) as use (client, name, used, per_second, most)
        order by client, name
        on conflict (client, name) do update set
          used = least(excluded.most, excluded.used
            + greatest(0, kept.used - greatest(0, excluded.at - kept.at) * excluded.per_second)),
          at = greatest(kept.at, excluded.at), per_second = excluded.per_second, most = excluded.most
        returning client, name, used`.execute(db)
      const found = new Map(rows.map(({ client, name, used }) => [`${name} ${client}`, used]))
      return uses.map(({ client, name, used }) => found.get(`${name} ${client}`) ?? used)
    },
    async find(client: string, name: string): Promise<number> {
      const row = db.selectFrom('limit_use').select(left.as('left')).where('client', '=', client)
      return (await row.where('name', '=', name).executeTakeFirst())?.left ?? 0
    },
    forget,
    async close(): Promise<void> {
      clearInterval(timer)
      await db.destroy()
    },
  }
}
