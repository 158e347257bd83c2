import { readFields, readHeader, readList, readText } from '../browser/read-value.ts'

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
  /** Why the shop said no, if it did: then it is sent again only when somebody asks for it. */
  readonly declined?: string
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

const storedName = 'farthing.purchases'
/** Clocks differ. */
const graceMs = 60_000
/** A shop keeps what was paid for so long. */
const keptMs = 7 * 24 * 60 * 60 * 1000

/** What a browser could not keep, because it keeps nothing or has no more room: until the page is closed. */
let unwritten: readonly SignedPurchase[] | undefined

/** Every purchase that this browser signed and did not see through, and that can still be fetched. */
export const readKept = (): SignedPurchase[] =>
  readList(readStored())
    .map(readFields)
    .flatMap((kept) => {
      const [id, method, path, header] = [kept['id'], kept['method'], kept['path'], kept['header']].map(readText)
      if (!id || !method || !path?.startsWith('/') || !header) return []
      const body = readText(kept['body']) || undefined
      const purchase = { id, method, path, body, header, declined: readText(kept['declined']) }
      return readAuthorization(purchase).endMs + keptMs > Date.now() ? [purchase] : []
    })

/** What was signed for the same before. */
export const findKept = (id: string): SignedPurchase | undefined => readKept().find((kept) => kept.id === id)

/** Keeps a signed purchase in place of an older one of the same. */
export const keepPurchase = (purchase: SignedPurchase): void =>
  writeStored([...readKept().filter(({ id }) => id !== purchase.id), purchase])

/** Forgets what has arrived. */
export const forgetPurchase = (purchase: Purchase): void =>
  writeStored(readKept().filter(({ id }) => id !== purchase.id))

/** Reads what a header of x402 v2 allows. */
export function readAuthorization({ header }: Pick<SignedPurchase, 'header'>): Authorization {
  const { from, to, value, nonce, validBefore } = readFields(readFields(readHeader(header)['payload'])['authorization'])
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

function readStored(): unknown {
  try {
    return unwritten ?? JSON.parse(localStorage.getItem(storedName) ?? 'null')
  } catch {
    return undefined
  }
}

function writeStored(purchases: readonly SignedPurchase[]): void {
  try {
    if (purchases.length === 0) localStorage.removeItem(storedName)
    else localStorage.setItem(storedName, JSON.stringify(purchases))
    unwritten = undefined
  } catch {
    // Private windows and full disks keep nothing.
    unwritten = purchases
  }
}
