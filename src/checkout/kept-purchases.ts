import { type Fields, readFields, readHeader, readJson, readText } from '../browser/read-value.ts'

/** A request that buys something. */
export interface Purchase {
  /** What is bought: there is one signature for it at a time, whatever the request says in particular. */
  readonly id: string
  readonly method: string
  /** On this origin, with its query. */
  readonly path: string
  /** JSON. */
  readonly body?: string | undefined
}

/** A purchase that is signed and whose product has not come. The same signature is sent until it has. */
export interface SignedPurchase extends Purchase {
  readonly header: string
  /** Milliseconds by which the clock of this browser was ahead of the one that it was signed by. */
  readonly aheadMs?: number
  /** Why the shop said no, if it did: then it is sent again only when somebody asks for it. */
  readonly declined?: string
}

/** What was signed, as far as it matters to the next signature. */
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
 * Begins the name of the item of each purchase, before what is bought: each has one of its own, because tabs write at
 * once, and may read late what others wrote.
 */
const storedName = 'farthing.purchase '
/** Clocks differ. */
const graceMs = 60_000
/** A shop keeps what was paid for so long. */
const keptMs = 7 * 24 * 60 * 60 * 1000

/**
 * What a browser could not write down, because it keeps nothing or has no more room, by what is bought: until it can, or
 * the page is closed. Nothing stands for what has arrived.
 */
const unwritten = new Map<string, SignedPurchase | undefined>()

/** What is written down and what could not be, by what is bought. */
const readAll = () => new Map<string, SignedPurchase | undefined>([...readStored(), ...unwritten])

/** Whether there is something that can still be fetched. */
const isOpen = (kept: SignedPurchase | undefined): kept is SignedPurchase =>
  !!kept && readAuthorization(kept).endMs + keptMs > Date.now()

/** Every purchase that this browser signed and did not see through, and that can still be fetched. */
export const readKept = (): SignedPurchase[] => [...readAll().values()].filter(isOpen)

/** What was signed for the same before. */
export const findKept = (id: string): SignedPurchase | undefined => readKept().find((kept) => kept.id === id)

/** Keeps a signed purchase in place of an older one of the same. */
export const keepPurchase = (purchase: SignedPurchase): void => write(purchase.id, purchase)

/** Forgets what has arrived. */
export const forgetPurchase = ({ id }: Purchase): void => write(id)

/** Reads what a header of x402 v2 allows. */
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

/** Whether a signature cannot be collected any more. */
export const hasEnded = ({ endMs }: Authorization): boolean => endMs + graceMs <= Date.now()

/** What is written down, by what is bought. */
function readStored(): [string, SignedPurchase][] {
  try {
    return Object.values<string>(localStorage).flatMap((item) => {
      const kept = readJson(() => item)
      return isPurchase(kept) ? [[kept.id, kept]] : []
    })
  } catch {
    // Nothing is kept here.
    return []
  }
}

/** Whether an item holds all that a request needs; one that is damaged does not, and nothing else that a page keeps. */
const isPurchase = (kept: Fields): kept is Fields & SignedPurchase =>
  [kept['id'], kept['method'], kept['header']].every(readText) && readText(kept['path']).startsWith('/')

/** Writes down what became of one purchase, and all that had no room before. What can be fetched no more goes. */
function write(id: string, left?: SignedPurchase): void {
  unwritten.set(id, left)
  for (const [name, kept] of readAll())
    try {
      if (!isOpen(kept)) localStorage.removeItem(storedName + name)
      else if (unwritten.has(name)) localStorage.setItem(storedName + name, JSON.stringify(kept))
      unwritten.delete(name)
    } catch {
      // Private windows and full disks keep nothing.
    }
}
