import type { RulingTable } from '../storage/game-schema.ts'
import type { GameDatabase } from '../storage/open-game-database.ts'

/**
 * What the operator decided about names, in force until a time. Every ruling is read once, because they are asked for
 * with every join and every word said.
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
    /** Learns what was decided at another host. */
    refresh,
    /** Milliseconds that a ruling still lasts; 0 when there is none. */
    remaining: (kind: RulingTable['kind'], account: string): number =>
      Math.max(0, (untils.get(toKey(kind, account)) ?? 0) - now()),
    /** In force for so long; 0 lifts it. */
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
