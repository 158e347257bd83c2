import { type Fields, readFields, readHeader, readJson, readText } from '../browser/read-value.ts'

/** A request that buys something. */
export interface Purchase {
  /** The id of the product; there is at most one stored signature for it, whatever the details of the request. */
  readonly id: string
  readonly method: string
  /** The path on this origin, with its query. */
  readonly path: string
  /** The JSON body. */
  readonly body?: string | undefined
}

/** A signed purchase whose product has not arrived. The same signature is sent until it has. */
export interface SignedPurchase extends Purchase {
  readonly header: string
  /** Milliseconds by which the clock of this browser was ahead of the one used for the signature. */
  readonly aheadMs?: number
  /** Why the shop declined, if it did: then it is sent again only when the user asks for it. */
  readonly declined?: string
}

/** The parts of a signature that matter for the next one. */
export interface Authorization {
  readonly payer: string
  readonly payTo: string
  readonly amount: string
  readonly nonce: string
  /** Seconds since 1970, as they were signed. */
  readonly validBefore: string
  /** Milliseconds since 1970, by the clock of this browser, after which it moves no money. */
  readonly endMs: number
}

/**
 * The prefix of the names in `localStorage`, before the id of the product. Each purchase has an item of its own,
 * because tabs write concurrently and may see the writes of others late.
 */
const storedName = 'farthing.purchase '
/** Extra time after the expiry, because clocks differ. */
const graceMs = 60_000
/** How long a shop keeps a paid product. */
const keptMs = 7 * 24 * 60 * 60 * 1000

/**
 * Purchases that could not be stored, because the browser stores nothing or has no more room, by id. They are kept
 * until they can be stored or the page is closed. Undefined marks a purchase that has arrived.
 */
const unwritten = new Map<string, SignedPurchase | undefined>()

/** All stored purchases, and those that could not be stored, by id. */
const readAll = () => new Map<string, SignedPurchase | undefined>([...readStored(), ...unwritten])

/** Whether the purchase can still be fetched. */
const isOpen = (kept: SignedPurchase | undefined): kept is SignedPurchase =>
  !!kept && readAuthorization(kept).endMs + keptMs > Date.now()

/** All purchases that this browser signed and did not finish, and that can still be fetched. */
export const readKept = (): SignedPurchase[] => [...readAll().values()].filter(isOpen)

/** The unfinished purchase of a product. */
export const findKept = (id: string): SignedPurchase | undefined => readKept().find((kept) => kept.id === id)

/** Stores a signed purchase; it replaces an older one of the same product. */
export const keepPurchase = (purchase: SignedPurchase): void => write(purchase.id, purchase)

/** Removes a purchase that has arrived. */
export const forgetPurchase = ({ id }: Purchase): void => write(id)

/** Reads the authorization in a payment header of x402 v2. */
export function readAuthorization({ header, aheadMs = 0 }: Pick<SignedPurchase, 'header' | 'aheadMs'>): Authorization {
  const { from, to, value, nonce, validBefore } = readFields(readFields(readHeader(header)['payload'])['authorization'])
  return {
    payer: readText(from),
    payTo: readText(to),
    amount: readText(value),
    nonce: readText(nonce),
    validBefore: readText(validBefore),
    endMs: Number(validBefore) * 1000 + aheadMs,
  }
}

/** Whether a signature can no longer be collected. */
export const hasEnded = ({ endMs }: Authorization): boolean => endMs + graceMs <= Date.now()

/** The stored purchases, by id. */
function readStored(): [string, SignedPurchase][] {
  try {
    return Object.values<string>(localStorage).flatMap((item) => {
      const kept = readJson(() => item)
      return isPurchase(kept) ? [[kept.id, kept]] : []
    })
  } catch {
    // This browser stores nothing.
    return []
  }
}

/** Whether an item has everything that a request needs. Damaged items and those of other code do not. */
const isPurchase = (kept: Fields): kept is Fields & SignedPurchase =>
  [kept['id'], kept['method'], kept['header']].every(readText) && readText(kept['path']).startsWith('/')

/**
 * Stores or removes one purchase, and stores all that had no room before. Purchases that can no longer be fetched are
 * removed.
 */
function write(id: string, left?: SignedPurchase): void {
  unwritten.set(id, left)
  for (const [name, kept] of readAll())
    try {
      if (!isOpen(kept)) localStorage.removeItem(storedName + name)
      else if (unwritten.has(name)) localStorage.setItem(storedName + name, JSON.stringify(kept))
      unwritten.delete(name)
    } catch {
      // Private windows and full disks do not store anything.
    }
}
