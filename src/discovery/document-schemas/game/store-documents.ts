import { z } from 'zod'
import { count, dateTime, evmAddress, microUsdText } from '../formats.ts'

const sku = z.string().describe('Names the product')
const grants = z.array(z.string()).describe('Entitlements that it gives')
const entitlements = z.array(z.string()).describe('Everything the player holds, oldest first')
const player = z.string().describe('The player, as the name is written')

const storeCatalog = z.object({
  name: z.string(),
  policy: z.literal('cosmetics_and_tips_only'),
  pay_to_win: z.literal(false),
  payment: z.literal('x402'),
  network: z.string(),
  asset: evmAddress,
  configured: z.boolean(),
  revenue: z.object({
    products: count,
    configured: z.boolean(),
    payTo: z.string().describe('Abbreviated'),
    totalPurchases: count,
    totalUsd: z.number().min(0),
  }),
  products: z.array(
    z.object({
      sku,
      name: z.string(),
      description: z.string(),
      priceUsd: z.number(),
      amountAtomic: microUsdText,
      kind: z.enum(['tip', 'cosmetic', 'tournament']),
      grants,
      creditPrice: z.int().nullable().describe('Price in credits, which play earns; null: not sold for them'),
    }),
  ),
})

const unlocked = z.object({
  ok: z.literal(true),
  status: z.enum(['unlocked', 'already_owned']),
  sku,
  player,
  charged: z.boolean(),
  grants: grants.optional(),
  entitlements,
  transaction: z.string().optional(),
  network: z.string().optional(),
  resumeToken: z.string().optional().describe('Of a name that this purchase created: keep it, it is the player'),
  note: z.string().optional(),
})

const redeemed = z.object({
  ok: z.literal(true),
  status: z.enum(['redeemed', 'already_owned']),
  sku,
  player,
  charged: count.describe('Credits taken'),
  credits: count.describe('Credits left'),
  entitlements,
})

const playerEntitlements = z.object({
  player,
  exists: z.boolean().describe('Whether anybody plays under this name'),
  entitlements,
  details: z.array(
    z.object({
      id: z.string(),
      source: z.enum(['purchase', 'credits', 'prize']),
      scope: z.string().describe('The cup that it is for; empty for what lasts'),
      grantedAt: dateTime,
    }),
  ),
  frames: z.array(z.string()),
  badges: z.array(z.string()),
  cups: z.array(z.string()),
  credits: count.optional().describe('For the player alone'),
  activeFrame: z.string().optional().describe('For the player alone'),
})

const frameChosen = z.object({ ok: z.literal(true), player, activeFrame: z.string(), frames: z.array(z.string()) })

const shout = z.object({ by: z.string(), text: z.string(), at: dateTime })
const wall = z.object({
  untrusted: z.literal(true),
  note: z.string(),
  shouts: z.array(shout).describe('Words of strangers between ⟦ and ⟧, newest first'),
})
const shouted = shout.extend({ ok: z.literal(true) })

/** What the game's store answers, by schema name. */
export const storeDocuments = {
  StoreCatalog: storeCatalog,
  Unlocked: unlocked,
  Redeemed: redeemed,
  PlayerEntitlements: playerEntitlements,
  FrameChosen: frameChosen,
  Wall: wall,
  Shouted: shouted,
} as const
