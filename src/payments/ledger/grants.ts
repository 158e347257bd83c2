import type { Transaction } from 'kysely'
import { z } from 'zod'
import { playerNamePattern, toPlayerKey } from '../../core/player-name.ts'
import type { EntitlementTable, LedgerSchema } from '../../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { alone } from '../../storage/transact.ts'

/** Days for which a player name that a purchase created is reserved for its buyer. */
const reservedDays = 7
const dayMs = 24 * 60 * 60 * 1000

const grantsSchema = z.object({
  player: z.string().regex(playerNamePattern),
  /** Hash of the resume token that the player gets when this purchase creates it. */
  tokenHash: z.string(),
  entitlements: z.array(z.string()),
  /** Whether the entitlements count for one cup. */
  isCupEntry: z.boolean(),
})

/** What a sale of the game's store grants, as stored with the payment. */
export type Grants = z.infer<typeof grantsSchema>

/**
 * Reads the grants of a payment from their JSON.
 *
 * @throws ZodError when they have another shape
 */
export const readGrants = (json: string): Grants => grantsSchema.parse(JSON.parse(json))

type Db = Transaction<LedgerSchema> | LedgerDatabase

/** The number of the cup that a new entry counts for: the open cup while it has time left, otherwise the next one. */
export async function findCupForEntries(db: Db, at: number): Promise<number> {
  const open = await db
    .selectFrom('cup')
    .select('number')
    .where('state', '=', 'open')
    .where('closes_at', '>', at)
    .executeTakeFirst()
  if (open) return open.number
  const last = await db.selectFrom('cup').select('number').orderBy('number', 'desc').executeTakeFirst()
  return (last?.number ?? 0) + 1
}

/** The scope of an entitlement that counts for one cup. */
export const toCupScope = (number: number): string => `cup-${number}`

/** Locks a player until the transaction ends: no other transaction that calls this changes its entitlements. */
export const holdPlayer = (tx: Transaction<LedgerSchema>, key: string): Promise<void> => alone(tx, 'player', key)

/** Gives entitlements to an existing player; those that it holds already stay unchanged. */
export async function grantEntitlements(
  tx: Transaction<LedgerSchema>,
  wanted: { key: string; entitlements: readonly string[]; scope: string; source: EntitlementTable['source'] },
  at: number,
): Promise<void> {
  const { key, entitlements, scope, source } = wanted
  await tx
    .insertInto('entitlement')
    .values(entitlements.map((name) => ({ player_key: key, entitlement: name, scope, source, granted_at: at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Grants what a settled sale carries, in the transaction that records the sale. This is part of the ledger and not of
 * the game, because either program may complete a payment and must then grant what it bought.
 */
export async function applyGrants(tx: Transaction<LedgerSchema>, grantsJson: string, at: number): Promise<void> {
  const { player, tokenHash, entitlements, isCupEntry } = readGrants(grantsJson)
  const key = toPlayerKey(player)
  await holdPlayer(tx, key)
  const reserved = { kind: 'human' as const, token_hash: tokenHash, reserved_until: at + reservedDays * dayMs }
  await tx
    .insertInto('player')
    .values({ key, name: player, ...reserved, created_at: at })
    // A reserved name that its earlier buyer never used goes to this buyer.
    .onConflict((conflict) => conflict.column('key').doUpdateSet(reserved).where('player.reserved_until', '<', at))
    .execute()
  const scope = isCupEntry ? await findScopeWithoutEntry(tx, { key, entries: entitlements, at }) : ''
  await grantEntitlements(tx, { key, entitlements, scope, source: 'purchase' }, at)
}

/** The scope of the next cup that a player has no entry for: two paid entries always count for two cups. */
export async function findScopeWithoutEntry(
  tx: Transaction<LedgerSchema>,
  { key, entries, at }: { key: string; entries: readonly string[]; at: number },
) {
  const held = await tx
    .selectFrom('entitlement')
    .select('scope')
    .where('player_key', '=', key)
    .where('entitlement', 'in', [...entries])
    .execute()
  const taken = new Set(held.map(({ scope }) => scope))
  let number = await findCupForEntries(tx, at)
  while (taken.has(toCupScope(number))) number++
  return toCupScope(number)
}
