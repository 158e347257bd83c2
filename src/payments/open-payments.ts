import { network } from '../core/chain-constants.ts'
import { type Log, toLogText } from '../core/log.ts'
import { advertisedPrice, maxTimeoutSeconds, type Offer } from '../offers/offer.ts'
import { makeOwner } from '../storage/lease-owner.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'
import { noTrace, type Trace } from '../tracing/trace.ts'
import type { Asking } from './block-list.ts'
import type { ChainOracle } from './chain/chain-oracle.ts'
import { makeWalletCheck } from './chain/wallet-check.ts'
import type { Facilitator } from './facilitator/facilitator-client.ts'
import { watchSettlements } from './facilitator/settlement-health.ts'
import { formerWording, makeFormer } from './former.ts'
import { type Gate, httpWording, makeGate } from './gate.ts'
import { forget } from './ledger/forget.ts'
import { type Ledger, makeLedger } from './ledger/ledger.ts'
import type { ProductStore } from './ledger/product-store.ts'
import { makeReceipts, newReceiptId } from './ledger/receipts.ts'
import { makeSeal } from './ledger/seal.ts'
import { noMeters, type PaymentMeters } from './meters.ts'
import type { ReceiptSigner } from './proof/receipt-signer.ts'
import { makeBuy } from './purchase/buy.ts'
import type { TakePlace } from './purchase/take-place.ts'
import { makeWorkSlots } from './purchase/work-slots.ts'
import { makePurchases } from './purchases.ts'
import { makeQuoteTable } from './quote-table.ts'
import { makeRails, type Rail } from './rails.ts'
import { type ReconcileWish, reconcile } from './settlement/reconcile.ts'
import type { SaleEvent } from './settlement/sale-event.ts'
import { makeSignInCheck } from './sign-in/check-sign-in.ts'
import { makeSignInNonces } from './sign-in/sign-in-nonces.ts'
import { makeToolGate, type ToolGate } from './tool-gate.ts'
import { readPayment } from './wire/read-payment.ts'
import { toRequirements, type Wallet } from './wire/requirements.ts'

export interface PaymentsOptions {
  db: LedgerDatabase
  products: ProductStore
  /** Of Base. */
  facilitator: Facilitator
  oracle: ChainOracle
  /** The other networks of the tokens in `wallet.also`. */
  others?: readonly Rail[]
  wallet: Wallet
  baseUrl: string
  /** Where the paid routes are, when that is not the site. */
  sellerUrl?: string
  shopName: string
  /** Of this installation; signed payments wait in the ledger under it. */
  secret: string
  /** Signs receipts; nobody does when absent. */
  signer?: ReceiptSigner
  advertise: (offer: Offer) => Record<string, unknown>
  /** The same for a product sold through a tool; nothing when absent. */
  advertiseTool?: (offer: Offer, tool: string) => Record<string, unknown>
  log: Log
  onSale?: () => void
  /** Counts and times what happens; nobody does when absent. */
  meters?: PaymentMeters
  /** Tells of the steps of a purchase; nobody is told when absent. */
  trace?: Trace
  /** Whether the operator sells nothing to whoever asks; nobody is blocked when absent. */
  isBlocked?: (asking: Asking) => boolean
  /** Counts what nobody paid for against the address that asked for it: so many of the payments it may fail. */
  countAgainst?: (caller: string, cost: number) => void
  /** Where other programs sell from the same ledger: what may not be done by any two of them at once. */
  takePlace?: TakePlace | undefined
  /** Whether new work would make everybody wait. */
  isOverloaded?: () => boolean
  /** Milliseconds a request waits for the chain; 6 seconds when absent. */
  settleWaitMs?: number
  /** Tests put failures between us and the ledger here. */
  wrapLedger?: (ledger: Ledger) => Ledger
  now?: () => number
  sleep?: (ms: number) => Promise<void>
}

const weekMs = 7 * 24 * 60 * 60 * 1000
const sleepFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function every(ms: number, task: () => void): () => void {
  const timer = setInterval(task, ms)
  timer.unref()
  return () => clearInterval(timer)
}

/** Everything that sells: one ledger, for each network one facilitator and one witness, and the gate that uses them. */
export function openPayments(options: PaymentsOptions) {
  const {
    db,
    products,
    oracle,
    wallet,
    baseUrl,
    shopName,
    advertise,
    log,
    meters = noMeters,
    trace = noTrace,
  } = options
  const now = options.now ?? Date.now
  const { facilitator, sold, isSettling } = watchSettlements(options.facilitator, { log, now: options.now })
  const others = (options.others ?? []).map((rail) => {
    const watched = watchSettlements(rail.facilitator, { log, now: options.now, network: rail.network })
    return { rail: { ...rail, facilitator: watched.facilitator }, sold: watched.sold }
  })
  const rails = makeRails([{ network, facilitator, oracle }, ...others.map(({ rail }) => rail)])
  const own = makeLedger({ db, products, owner: makeOwner(), now, newReceiptId })
  const ledger = options.wrapLedger?.(own) ?? own
  const receipts = makeReceipts(db, options.signer)
  const seal = makeSeal(options.secret)
  const report = (error: unknown) => log('server.error', { error: toLogText(error) })
  const slots = makeWorkSlots(options.takePlace)
  const soldOn = (on: string | undefined) =>
    on === undefined ? sold() : others.find(({ rail }) => rail.network === on)?.sold()
  const tell = (told: SaleEvent) => {
    const { event, ...fields } = told
    log(event, fields)
    meters.told(told)
    if (event === 'sale.settled') soldOn(told.network)
    if (event === 'sale.settled' || event === 'sale.doubted') options.onSale?.()
  }
  const { isBlocked = () => false, countAgainst = () => {} } = options
  const nonces = makeSignInNonces(options.secret, now)
  const checkSignIn = makeSignInCheck({ db, now, nonces, wallets: makeWalletCheck((on) => rails.find(on)?.oracle) })
  const purchase = makeBuy({
    ledger,
    rails,
    wallet,
    now,
    sleep: options.sleep ?? sleepFor,
    settleWaitMs: options.settleWaitMs ?? 6000,
    slots,
    takePlace: options.takePlace,
    seal,
    isBlocked,
    countAgainst,
    isOverloaded: options.isOverloaded ?? (() => false),
    every,
    report,
    log: tell,
    trace,
  })
  const { sellerUrl = baseUrl, advertiseTool = () => ({}) } = options
  const seller = { baseUrl, sellerUrl, shopName, wallet, quoted: meters.quoted }
  const challenge = {
    ...seller,
    advertise,
    wording: httpWording,
    signIn: { nonces, now },
    toResourceUrl: (offer: Offer) => sellerUrl + offer.path,
  }
  const purchases = makePurchases({ ledger, products, receipts, secret: options.secret, now })
  const selling = {
    buy: purchase.buy,
    fetchSent: purchase.fetchSent,
    findSpent: purchase.findSpent,
    countAgainst,
    showOwned: purchase.showOwned,
    checkSignIn,
    isBlocked,
    report,
    trace,
    now,
    ledger,
    rails,
    products,
    receipts,
  }
  const gate: Gate = makeGate({ ...challenge, ...selling })
  const formerGate = makeGate({ ...challenge, ...selling, wording: formerWording(baseUrl) })
  const toolGate: ToolGate = makeToolGate({ ...seller, ...selling, advertiseTool, findPurchase: purchases.find })
  return {
    gate,
    toolGate,
    /** What was bought where nothing is sold any more. */
    former: makeFormer(ledger, formerGate),
    readPurchase: purchases.read,
    receipts,
    /** How wallets show whose purchases they may see. */
    signIn: { checkSignIn, nonces },
    /** What an offer is advertised for. */
    terms: (offer: Offer) => toRequirements({ ...wallet, network }, advertisedPrice(offer), maxTimeoutSeconds(offer)),
    quoteTable: (offers: readonly Offer[]) => makeQuoteTable(challenge, offers),
    /** Whether a `PAYMENT-SIGNATURE` header is of a purchase that was begun before. */
    async isKnown(header: string): Promise<boolean> {
      const payment = readPayment(header)
      if (!payment) return false
      const row = await ledger.find(payment.key)
      if (row) return row.state !== 'failed'
      if (await ledger.findProof(payment.key)) return true
      const { identifierHash } = payment
      return identifierHash !== null && (await ledger.findByIdentifier(identifierHash)) !== undefined
    },
    /** How many sales of the last week the chain has lost, and has not been given again. */
    reversed: () => ledger.countReversed(now() - weekMs),
    /** Work in progress, by product. */
    slotsInUse: slots.inUse,
    /** Purchases under way, from their request to their answer. */
    underWay: purchase.underWay,
    idle: purchase.idle,
    settleNoMore: purchase.settleNoMore,
    isSettling,
    /** Run at start and every few minutes. */
    reconcile: (wish?: ReconcileWish) =>
      reconcile({ ledger, rails, seal, now, report, log: tell, onChange: () => options.onSale?.() }, wish),
    /** Run once a day. */
    forget: () => forget({ ledger, now, chainTime: () => oracle.time() }),
  }
}
