import { z } from 'zod'
import { toDisplay } from '../../src/core/money.ts'
import { toPlayerKey } from '../../src/core/player-name.ts'
import { Problem } from '../../src/core/problem.ts'
import type { Handle } from '../../src/http/route.ts'
import { advertisedPrice } from '../../src/offers/offer.ts'
import type { Gate } from '../../src/payments/gate.ts'
import type { Payment } from '../../src/payments/wire/payment.ts'
import { readPayment } from '../../src/payments/wire/read-payment.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { isPlayerName } from './accounts.ts'
import { answerJson } from './answer-json.ts'
import { readCupForEntries } from './cup-for-entries.ts'
import { type StoreProduct, storeProducts } from './products.ts'
import { type Claim, makePurchaseTurns } from './purchase-turns.ts'
import { makeUnlocking, type UnlockingDeps } from './unlocking.ts'

export interface UnlockDeps extends UnlockingDeps {
  db: LedgerDatabase
  gate: Gate
  now: () => number
  /** The lock across hosts, where several share the database. */
  claim?: Claim | undefined
}

interface UnlockRequest {
  product: StoreProduct
  /** Undefined when the name is missing or invalid. */
  player: string | undefined
}

const namesSchema = z.object({ sku: z.unknown().optional(), playerName: z.unknown().optional() })

/** The product and player in a body that may be invalid otherwise. Without a readable sku it is the smallest tip. */
function readUnlockRequest(body: ArrayBuffer): UnlockRequest {
  let given: z.output<typeof namesSchema> = { sku: undefined, playerName: undefined }
  try {
    given = namesSchema.parse(JSON.parse(new TextDecoder().decode(body)))
  } catch {
    // The gate reports what is wrong with the body.
  }
  const { sku, playerName } = given
  const product = typeof sku === 'string' ? storeProducts.find((candidate) => candidate.sku === sku) : storeProducts[0]
  if (!product) throw new Problem('unknown-sku', { charged: false })
  return { product, player: typeof playerName === 'string' && isPlayerName(playerName) ? playerName : undefined }
}

/**
 * `POST /api/store/unlock`: one path that sells all products, each through the gate of its own offer. Products other
 * than tips are sold to a player once; a second payment is told so and not charged.
 */
export function makeUnlock(deps: UnlockDeps): Handle {
  const { db, gate, accounts, entitlements, now, claim } = deps
  const turns = makePurchaseTurns(db, claim)

  const owns = async ({ kind, grants }: StoreProduct, player: string): Promise<boolean> => {
    if (kind === 'tip') return false
    const scope = kind === 'tournament' ? (await readCupForEntries(db, now())).id : ''
    return entitlements.has(toPlayerKey(player), grants[0], scope)
  }

  /** Tips may be bought any number of times, also at once, so they are not checked. */
  const toAssertAlone = (product: StoreProduct) => async (player: string, paymentKey: string) => {
    if (product.kind !== 'tip') await turns.assertAlone(product, player, paymentKey, () => owns(product, player))
  }

  const counters = new Map(
    storeProducts.map((product) => {
      const { make, complete } = makeUnlocking({ ...deps, assertAlone: toAssertAlone(product) }, product)
      return [product.sku, gate(product.offer, make, { complete })]
    }),
  )

  /**
   * Whether this payment was begun before; then it is answered from the ledger, whatever the player owns by now. A row
   * in state `ready` does not count: going on with it could charge for what another payment has bought meanwhile.
   */
  const isKnown = async ({ key, identifierHash }: Payment): Promise<boolean> => {
    const row = await db
      .selectFrom('payment')
      .select('key')
      .where((where) => where.or([where('key', '=', key), where('identifier_hash', '=', identifierHash)]))
      .where('state', '!=', 'ready')
      .executeTakeFirst()
    return row !== undefined
  }

  const tellOwned = async ({ sku }: StoreProduct, player: string): Promise<Response> => {
    const account = await accounts.findByName(player)
    const { entitlements: held } = await entitlements.of(toPlayerKey(player))
    const who = account?.name ?? player
    return answerJson({ ok: true, status: 'already_owned', sku, player: who, charged: false, entitlements: held })
  }

  /** Adds to a 402 what a buyer should know before signing: cup, spending cap, whether the player exists or owns it. */
  const explain = async (response: Response, { product, player }: UnlockRequest): Promise<Response> => {
    if (response.status !== 402) return response
    const price = toDisplay(advertisedPrice(product.offer))
    const isNew = player !== undefined && (await accounts.findByName(player)) === undefined
    const cup = product.kind === 'tournament' ? await readCupForEntries(db, now()) : undefined
    const notes = {
      sku: product.sku,
      ...(cup && { cup }),
      spendCap: `x402 clients refuse more than $1.00 until told otherwise: .setSpendControls({ maxAmountPerPayment: '${price}' })`,
      ...(player !== undefined && { player: { name: player, exists: !isNew } }),
      ...(isNew && { newPlayer: newPlayerNote }),
      ...(player !== undefined && (await owns(product, player)) && { alreadyOwned: true }),
    }
    const body = { ...z.looseObject({}).parse(await response.json()), ...notes }
    const headers = new Headers(response.headers)
    if (!cup) return new Response(JSON.stringify(body), { status: 402, headers })
    const { resource } = resourceSchema.parse(body)
    // Many clients show only the header, so the cup is named there, too.
    const told = { resource: { ...resource, description: `${resource.description} ${cup.text}` } }
    const terms = z.looseObject({}).parse(JSON.parse(Buffer.from(headers.get(termsHeader) ?? '', 'base64').toString()))
    headers.set(termsHeader, Buffer.from(JSON.stringify({ ...terms, ...told })).toString('base64'))
    return new Response(JSON.stringify({ ...body, ...told }), { status: 402, headers })
  }

  return async (request, _, address) => {
    const body = await request.arrayBuffer()
    const asked = readUnlockRequest(body)
    const { product, player } = asked
    const counter = counters.get(product.sku)
    if (!counter) throw new Error(`nobody sells ${product.sku}`)
    const sell = async (): Promise<Response> => explain(await counter(copyOf(request, body), address), asked)

    const header = request.headers.get('payment-signature')
    const payment = header === null ? undefined : readPayment(header)
    if (!payment || player === undefined || product.kind === 'tip') return sell()
    const tellOwner = async () =>
      !(await isKnown(payment)) && (await owns(product, player)) ? tellOwned(product, player) : undefined
    // Checked again under the lock, because the payment before may have bought the same.
    return (await tellOwner()) ?? turns.take(product, player, payment.key, async () => (await tellOwner()) ?? sell())
  }
}

const resourceSchema = z.looseObject({ resource: z.looseObject({ description: z.string() }) })
const termsHeader = 'payment-required'

const newPlayerNote =
  'Nobody plays under this name yet. If you buy for it, the name is reserved for seven days, and the first answer has the resumeToken that makes it yours'

/** The request again, after its body was read; `accept` asks for JSON, because the buyers are programs. */
function copyOf(request: Request, body: ArrayBuffer): Request {
  const headers = new Headers(request.headers)
  headers.set('accept', 'application/json')
  return new Request(request.url, {
    method: request.method,
    headers,
    body: body.byteLength === 0 ? null : body,
    signal: request.signal,
  })
}
