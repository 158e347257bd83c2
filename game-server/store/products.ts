import { z } from 'zod'
import { usd } from '../../src/core/money.ts'
import { playerNameRule } from '../../src/core/player-name.ts'
import { defineOffer, type Offer } from '../../src/offers/offer.ts'
import { isPlayerName } from './accounts.ts'

type Kind = 'tip' | 'cosmetic' | 'tournament'

/** A product of the store, sold for dollars and, unless `creditPrice` is null, for credits. */
export interface StoreProduct {
  readonly sku: string
  readonly kind: Kind
  readonly name: string
  readonly description: string
  readonly creditPrice: number | null
  /** The entitlements that it grants; the first one decides whether a player owns the product. */
  readonly grants: readonly [string, ...string[]]
  readonly offer: Offer
}

/** The entitlements that may be sold. Any other could affect who wins, so the host refuses to start with it. */
const harmless = new Set(
  'supporter badge_tip frame_gold frame_legend frame_neon frame_void death_frames_pro wall_shout agent_cup_entry'.split(
    ' ',
  ),
)

/** The name of a player in requests to the store. */
export const playerName = z
  .string('must be the name of a player')
  .refine(isPlayerName, `must be ${playerNameRule}, and not a name that the game uses itself`)

const define = (
  product: Omit<StoreProduct, 'offer'>,
  terms: { price: string; delivers: readonly string[] },
): StoreProduct => {
  const { sku, kind, name, description, grants } = product
  const example = { sku, playerName: 'Ada' }
  const answer = { ok: true, status: 'unlocked', sku, player: 'Ada', grants }
  return {
    ...product,
    offer: defineOffer({
      id: `store/${sku}`,
      lane: 'storeItem',
      slug: sku,
      title: name,
      excerpt: description,
      method: 'POST',
      path: '/api/store/unlock',
      mimeType: 'application/json',
      price: usd(terms.price),
      input: z.object({ sku: z.literal(sku, `must be ${sku}`), playerName }),
      example,
      workSeconds: 10,
      // The work is a few reads; the settlement on the chain is what takes time.
      concurrency: 100,
      delivers: terms.delivers,
      fileName: `${sku}.json`,
      sample: JSON.stringify({ kind, ...answer }),
    }),
  }
}

/** Everything the store sells. The rules of the dungeon know none of it. */
export const storeProducts: readonly [StoreProduct, ...StoreProduct[]] = [
  define(
    {
      sku: 'tip_3',
      kind: 'tip',
      name: 'Lamp oil',
      description: 'A tip of $3. Keeps one lantern lit. You get our thanks and a small badge by your name.',
      creditPrice: null,
      grants: ['supporter', 'badge_tip'],
    },
    { price: '3', delivers: ['A badge by your name.'] },
  ),
  define(
    {
      sku: 'tip_10',
      kind: 'tip',
      name: 'A round for the diggers',
      description: 'A tip of $10. The badge, and a gold frame for your deaths. You will still have them.',
      creditPrice: null,
      grants: ['supporter', 'badge_tip', 'frame_gold'],
    },
    { price: '10', delivers: ['A badge by your name.', 'The death frame "gold".'] },
  ),
  define(
    {
      sku: 'tip_25',
      kind: 'tip',
      name: 'A new bell for the gate',
      description:
        'A tip of $25. The badge, two death frames (gold and legend), and one line a day on the entrance wall.',
      creditPrice: null,
      grants: ['supporter', 'badge_tip', 'frame_gold', 'frame_legend', 'wall_shout'],
    },
    {
      price: '25',
      delivers: ['A badge by your name.', 'The death frames "gold" and "legend".', 'One line a day on the wall.'],
    },
  ),
  define(
    {
      sku: 'death_frames_pro',
      kind: 'cosmetic',
      name: 'Death frames: neon and void',
      description: 'Two more ways to be remembered. They change the box around your last words and nothing else.',
      creditPrice: 100,
      grants: ['death_frames_pro', 'frame_neon', 'frame_void'],
    },
    { price: '5', delivers: ['The death frames "neon" and "void".'] },
  ),
  define(
    {
      sku: 'agent_cup_entry',
      kind: 'tournament',
      name: 'Agent Cup entry',
      description:
        'One life in a dungeon that is the same for every entrant. Counts for the cup that is open, else for the next.',
      creditPrice: 50,
      grants: ['agent_cup_entry'],
    },
    { price: '5', delivers: ['One entry for the Agent Cup.'] },
  ),
]

/**
 * Checks the grants of all products before the host opens.
 *
 * @throws Error that names the product with a grant that may not be sold
 */
export function assertHarmless(products: readonly Pick<StoreProduct, 'sku' | 'grants'>[]): void {
  for (const { sku, grants } of products)
    for (const grant of grants)
      if (!harmless.has(grant))
        throw new Error(`the store would sell ${JSON.stringify(grant)} with ${sku}: nothing for sale may change play`)
}
