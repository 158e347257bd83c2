import { z } from 'zod'
import { toPlayerKey } from '../../src/core/player-name.ts'
import { Problem } from '../../src/core/problem.ts'
import type { Make } from '../../src/offers/make.ts'
import { textProduct } from '../../src/offers/product.ts'
import type { Complete } from '../../src/payments/deliver.ts'
import type { Grants } from '../../src/payments/ledger/grants.ts'
import type { Accounts } from './accounts.ts'
import type { EntitlementReader } from './entitlements.ts'
import { playerName, type StoreProduct } from './products.ts'
import { toBoughtToken, toTokenHash } from './resume-token.ts'

export interface UnlockingDeps {
  accounts: Accounts
  entitlements: EntitlementReader
  /** The secret from which the tokens of bought names are derived. */
  secret: string
  /** Whether the operator has reserved a name. */
  isKept: (key: string) => boolean
}

const inputSchema = z.object({ playerName })
const answerSchema = z.looseObject({ ok: z.literal(true) })

interface Unlocking extends UnlockingDeps {
  /** @throws Problem while another payment for the same product and player is under way, or when one has bought it */
  assertAlone: (player: string, paymentKey: string) => Promise<void>
}

/** The work of one product: its JSON response, stored before settlement, and the grants that settlement applies. */
export function makeUnlocking(
  { accounts, entitlements, secret, isKept, assertAlone }: Unlocking,
  { sku, grants, kind }: StoreProduct,
) {
  /** Refuses a name that the operator has reserved, unless a player has it already. */
  const foresee: NonNullable<Make['foresee']> = async (input) => {
    const asked = inputSchema.parse(input).playerName
    const isFree = !isKept(toPlayerKey(asked)) || (await accounts.findByName(asked)) !== undefined
    return isFree ? [] : [{ pointer: '/playerName', detail: 'is reserved by the operator; nothing was charged' }]
  }

  const makeIt: Make = async (input, _, paymentKey) => {
    const asked = inputSchema.parse(input).playerName
    const errors = await foresee(input)
    if (errors.length > 0) throw new Problem('invalid-input', { charged: false, errors })
    await assertAlone(asked, paymentKey)
    const known = await accounts.findByName(asked)
    const player = known?.name ?? asked
    const held = await entitlements.of(toPlayerKey(player))
    const given: Grants = {
      player,
      tokenHash: toTokenHash(toBoughtToken(secret, paymentKey)),
      entitlements: [...grants],
      isCupEntry: kind === 'tournament',
    }
    const all = [...new Set([...held.entitlements, ...grants])]
    const answer = { ok: true, status: 'unlocked', sku, player, charged: true, grants, entitlements: all }
    return {
      ...textProduct(JSON.stringify(answer), 'application/json; charset=utf-8'),
      grants: JSON.stringify(given),
    }
  }

  /** Adds the transaction, and the player's token if this purchase created the name. */
  const complete: Complete = async (body, row) => {
    const answer = answerSchema.parse(JSON.parse(new TextDecoder().decode(body)))
    const token = toBoughtToken(secret, row.key)
    const isOpened = (await accounts.findByToken(token)) !== undefined
    return new TextEncoder().encode(
      JSON.stringify({
        ...answer,
        transaction: row.transaction_hash,
        network: row.network,
        ...(isOpened && { resumeToken: token, note: keepNote }),
      }),
    )
  }

  return { make: Object.assign(makeIt, { foresee }), complete }
}

const keepNote =
  'Keep the resumeToken: whoever has it is this player. Join the game with it within seven days, or others can take the name'
