import type { Transaction } from 'kysely'
import { z } from 'zod'
import { playerNamePattern, toPlayerKey } from '../../core/player-name.ts'
import type { EntitlementTable, LedgerSchema } from '../../storage/ledger-schema.ts'
import type { LedgerDatabase } from '../../storage/open-ledger-database.ts'
import { alone } from '../../storage/transact.ts'

/** Days a name that a purchase created waits for its buyer. */
const reservedDays = 7
const dayMs = 24 * 60 * 60 * 1000

const grantsSchema = z.object({
  player: z.string().regex(playerNamePattern),
  /** Of the resume token that the name gets when this purchase creates it. */
  tokenHash: z.string(),
  entitlements: z.array(z.string()),
  /** Whether they count for one cup. */
  isCupEntry: z.boolean(),
})

/** What a sale of the game's store gives, as it is kept with the payment. */
export type Grants = z.infer<typeof grantsSchema>

/** @throws ZodError when it is not what a store's sale carries */
export const readGrants = (json: string): Grants => grantsSchema.parse(JSON.parse(json))

type Db = Transaction<LedgerSchema> | LedgerDatabase

/** The number of the cup that a new entry counts for: the one that is open and has time left, else the next. */
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

/** How an entitlement says which cup it is for. */
export const toCupScope = (number: number): string => `cup-${number}`

/** Until the transaction ends, what a player has is for no other one to change. */
export const holdPlayer = (tx: Transaction<LedgerSchema>, key: string): Promise<void> => alone(tx, 'player', key)

/** Gives entitlements to a player that exists; what is held already stays as it is. */
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
 * Grants what a settled sale carries, in the transaction that records the sale. It is here and not with the game,
 * because whichever program finishes a payment grants what was bought with it.
 */
export async function applyGrants(tx: Transaction<LedgerSchema>, grantsJson: string, at: number): Promise<void> {
  const { player, tokenHash, entitlements, isCupEntry } = readGrants(grantsJson)
  const key = toPlayerKey(player)
  await holdPlayer(tx, key)
  const reserved = { kind: 'human' as const, token_hash: tokenHash, reserved_until: at + reservedDays * dayMs }
  await tx
    .insertInto('player')
    .values({ key, name: player, ...reserved, created_at: at })
    // A name that an earlier buyer never came for is this buyer's.
    .onConflict((conflict) => conflict.column('key').doUpdateSet(reserved).where('player.reserved_until', '<', at))
    .execute()
  const scope = isCupEntry ? await findScopeWithoutEntry(tx, { key, entries: entitlements, at }) : ''
  await grantEntitlements(tx, { key, entitlements, scope, source: 'purchase' }, at)
}

/** Two paid entries are two cups, however they came to be settled. */
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
