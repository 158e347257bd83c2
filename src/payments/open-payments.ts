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
import { makeSignInTimes } from './sign-in/sign-in-extension.ts'
import { makeSignInNonces } from './sign-in/sign-in-nonces.ts'
import { makeToolGate, type ToolGate } from './tool-gate.ts'
import { readPayment } from './wire/read-payment.ts'
import { toRequirements, type Wallet } from './wire/requirements.ts'

export interface PaymentsOptions {
  db: LedgerDatabase
  products: ProductStore
  /** The facilitator for Base. */
  facilitator: Facilitator
  oracle: ChainOracle
  /** One rail for each other network that `wallet.also` takes tokens on. */
  others?: readonly Rail[]
  wallet: Wallet
  baseUrl: string
  /** Origin of the paid routes, where it is not `baseUrl`. */
  sellerUrl?: string
  shopName: string
  /** Secret of this installation. Keys are derived from it: signed payments are encrypted in the ledger with one. */
  secret: string
  /** Signs receipts; they are unsigned when absent. */
  signer?: ReceiptSigner
  advertise: (offer: Offer) => Record<string, unknown>
  /** The same extensions for a product that is sold through a tool; none when absent. */
  advertiseTool?: (offer: Offer, tool: string) => Record<string, unknown>
  log: Log
  onSale?: () => void
  /** Metrics; none are taken when absent. */
  meters?: PaymentMeters
  /** Traces the steps of a purchase; nothing is traced when absent. */
  trace?: Trace
  /** Whether the operator has blocked this address or wallet; nobody is blocked when absent. */
  isBlocked?: (asking: Asking) => boolean
  /** Counts unpaid work against the rate limit of the address that caused it. `cost` is in failed payments. */
  countAgainst?: (caller: string, cost: number) => void
  /** Where several programs sell from one ledger: takes one of the places that they share (limits and turns). */
  takePlace?: TakePlace | undefined
  /** Whether new work is to be refused because the program is overloaded; never when absent. */
  isOverloaded?: () => boolean
  /** How long a request waits for its transfer to show on the chain, in milliseconds; 6 seconds when absent. */
  settleWaitMs?: number
  /** For tests, which inject failures of the ledger here. */
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

/**
 * Opens everything that sells: the ledger, one facilitator and one chain oracle for each network, and the gates that
 * use them.
 */
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
    signIn: { nonces, times: makeSignInTimes(now) },
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
    /** Answers requests for purchases at paths where nothing is sold any more. */
    former: makeFormer(ledger, formerGate),
    readPurchase: purchases.read,
    receipts,
    /** For the library, where a wallet signs in and fetches its purchases. */
    forLibrary: { checkSignIn, nonces, slots, report },
    /** The terms of an offer at its advertised price, in USDC on Base. */
    terms: (offer: Offer) => toRequirements({ ...wallet, network }, advertisedPrice(offer), maxTimeoutSeconds(offer)),
    quoteTable: (offers: readonly Offer[]) => makeQuoteTable(challenge, offers),
    /** Whether the payment of a `PAYMENT-SIGNATURE` header belongs to a purchase in the ledger that has not failed. */
    async isKnown(header: string): Promise<boolean> {
      const payment = readPayment(header)
      if (!payment) return false
      const row = await ledger.find(payment.key)
      if (row) return row.state !== 'failed'
      if (await ledger.findProof(payment.key)) return true
      const { identifierHash } = payment
      return identifierHash !== null && (await ledger.findByIdentifier(identifierHash)) !== undefined
    },
    /** How many sales of the last week are reversed: their transfer is gone from the chain and was not sent again. */
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
