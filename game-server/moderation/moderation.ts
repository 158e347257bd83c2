import type { RulingTable } from '../storage/game-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

/**
 * The operator's rulings about names, each in force until a time. They are kept in memory, because they are checked at
 * every join and every remark.
 */
export async function openModeration(db: GameDatabase, now: () => number) {
  const toKey = (kind: string, account: string) => `${kind} ${account}`
  const untils = new Map<string, number>()
  async function refresh(): Promise<void> {
    for (const { kind, account, until } of await db.selectFrom('ruling').selectAll().execute())
      untils.set(toKey(kind, account), until)
  }
  await refresh()
  return {
    /** Reads rulings that were made at another host. */
    refresh,
    /** Milliseconds that a ruling still lasts; 0 when there is none. */
    remaining: (kind: RulingTable['kind'], account: string): number =>
      Math.max(0, (untils.get(toKey(kind, account)) ?? 0) - now()),
    /** Makes a ruling for `forMs` milliseconds; 0 lifts it. */
    async keep(kind: RulingTable['kind'], account: string, forMs: number): Promise<void> {
      const until = now() + forMs
      untils.set(toKey(kind, account), until)
      await db
        .insertInto('ruling')
        .values({ kind, account, until })
        .onConflict((conflict) => conflict.columns(['kind', 'account']).doUpdateSet({ until }))
        .execute()
    },
  }
}

export type Moderation = Awaited<ReturnType<typeof openModeration>>
