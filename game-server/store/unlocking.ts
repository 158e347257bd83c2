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
  /** Makes the tokens of names that purchases create. */
  secret: string
  /** Whether the operator keeps a name that nobody has. */
  isKept: (key: string) => boolean
}

const inputSchema = z.object({ playerName })
const answerSchema = z.looseObject({ ok: z.literal(true) })

interface Unlocking extends UnlockingDeps {
  /** @throws Problem where another payment buys the same for the same player, or did a moment ago */
  assertAlone: (player: string, paymentKey: string) => Promise<void>
}

/** What a buyer of one product gets: the words that say so, stored before settlement, and the grants beside them. */
export function makeUnlocking(
  { accounts, entitlements, secret, isKept, assertAlone }: Unlocking,
  { sku, grants, kind }: StoreProduct,
) {
  /** What is wrong with a name that nobody has, where the operator keeps it. */
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

  /** The transaction, and the token of the name when it was this purchase that created it. */
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
