import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'

/** What a player owns. All of it is cosmetic or an entry for a cup; the rules of the dungeon do not know it. */
export interface Entitlements {
  /** Each once, oldest first. */
  entitlements: string[]
  details: { id: string; source: 'purchase' | 'credits' | 'prize'; scope: string; grantedAt: string }[]
  /** Death frames, `plain` first. */
  frames: string[]
  /** The frame around the player's next death. */
  activeFrame: string
  /** Badges shown beside the name. */
  badges: string[]
  /** Cups for which the player has an entry, such as `cup-3`. */
  cups: string[]
}

/** Reads what players own; purchases, credits and prizes grant it. */
export function makeEntitlements({ db }: { db: LedgerDatabase }) {
  return {
    async of(key: string): Promise<Entitlements> {
      const rows = await db
        .selectFrom('entitlement')
        .selectAll()
        .where('player_key', '=', key)
        .orderBy('granted_at')
        .orderBy('entitlement')
        .orderBy('scope')
        .execute()
      const player = await db.selectFrom('player').select('frame').where('key', '=', key).executeTakeFirst()
      const entitlements = [...new Set(rows.map(({ entitlement }) => entitlement))]
      const frames = ['plain', ...entitlements.filter((name) => name.startsWith('frame_'))]
      const chosen = player?.frame ?? ''
      return {
        entitlements,
        details: rows.map(({ entitlement, source, scope, granted_at }) => ({
          id: entitlement,
          source,
          scope,
          grantedAt: new Date(granted_at).toISOString(),
        })),
        frames,
        activeFrame: frames.includes(chosen) ? chosen : (frames.at(-1) ?? 'plain'),
        badges: entitlements.filter((name) => name.startsWith('badge_')),
        cups: rows.flatMap(({ entitlement, scope }) => (entitlement === 'agent_cup_entry' ? [scope] : [])),
      }
    },

    /** Whether the player has an entitlement, for the cup in `scope` or, without scope, permanently. */
    async has(key: string, entitlement: string, scope = ''): Promise<boolean> {
      const row = await db
        .selectFrom('entitlement')
        .select('entitlement')
        .where('player_key', '=', key)
        .where('entitlement', '=', entitlement)
        .where('scope', '=', scope)
        .executeTakeFirst()
      return row !== undefined
    },
  }
}

export type EntitlementReader = ReturnType<typeof makeEntitlements>
