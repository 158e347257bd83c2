import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'

/** What a player holds. All of it is for show or for entering a cup; the dungeon never learns of it. */
export interface Entitlements {
  /** Each once, oldest first. */
  entitlements: string[]
  details: { id: string; source: 'purchase' | 'credits' | 'prize'; scope: string; grantedAt: string }[]
  /** Death frames, `plain` first. */
  frames: string[]
  /** The frame around the player's next death. */
  activeFrame: string
  /** Shown beside the name. */
  badges: string[]
  /** Cups the player is entered for, such as `cup-3`. */
  cups: string[]
}

/** Reads what players hold; granting belongs to sales and to credits. */
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

    /** Whether the player holds it, for this cup or for good. */
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
