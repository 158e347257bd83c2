import { type Fields, readFields, readList, readText } from '../read-value.ts'
import { keepStored, readStored } from '../stored.ts'

/** Something to buy for somebody. */
export interface Purchase {
  readonly sku: string
  readonly playerName: string
}

/** A purchase that is signed and whose thing has not come. The same signature is sent until it has. */
export interface SignedPurchase extends Purchase {
  readonly header: string
  /** The store said no: it is sent again only when somebody asks for it. */
  readonly isDeclined?: boolean
}

/** What was signed, as far as it matters to the next signature. */
export interface Authorization {
  readonly payer: string
  readonly payTo: string
  readonly amount: string
  readonly nonce: string
  /** Milliseconds since 1970, after which it moves no money. */
  readonly endMs: number
}

const storedName = 'purchase'
/** Clocks differ. */
const graceMs = 60_000

/** Every purchase that this browser signed and did not see through. */
export function readKept(): SignedPurchase[] {
  const stored = readStored(storedName)
  return (Array.isArray(stored) ? readList(stored) : [stored]).map(readFields).flatMap((kept) => {
    const [sku, playerName, header] = [kept['sku'], kept['playerName'], kept['header']].map(readText)
    return sku && playerName && header ? { sku, playerName, header, isDeclined: kept['isDeclined'] === true } : []
  })
}

const isSame = (a: Purchase, b: Purchase): boolean => a.sku === b.sku && a.playerName === b.playerName

/** What was signed for the same before. */
export const findKept = (purchase: Purchase): SignedPurchase | undefined =>
  readKept().find((kept) => isSame(kept, purchase))

/** Keeps a signed purchase in place of an older one of the same. */
export const keepPurchase = (purchase: SignedPurchase): void =>
  keepStored(storedName, [...readKept().filter((kept) => !isSame(kept, purchase)), purchase])

/** Forgets what has arrived. */
export function forgetPurchase(purchase: Purchase): void {
  const left = readKept().filter((kept) => !isSame(kept, purchase))
  keepStored(storedName, left.length > 0 ? left : undefined)
}

/** Reads what a header of x402 v2 allows. */
export function readAuthorization({ header }: SignedPurchase): Authorization {
  const { from, to, value, nonce, validBefore } = readFields(readFields(decode(header)['payload'])['authorization'])
  return {
    payer: readText(from),
    payTo: readText(to),
    amount: readText(value),
    nonce: readText(nonce),
    endMs: Number(readText(validBefore)) * 1000,
  }
}

/** Whether a signature cannot be collected any more. */
export const hasEnded = ({ endMs }: Authorization): boolean => endMs + graceMs <= Date.now()

function decode(header: string): Fields {
  try {
    return readFields(JSON.parse(atob(header)))
  } catch {
    return {}
  }
}
