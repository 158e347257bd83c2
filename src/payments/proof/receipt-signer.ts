import { sign } from 'node:crypto'
import { keepRecent } from '../../core/keep-recent.ts'
import { toKeyId } from './did-document.ts'
import type { ReceiptKey } from './receipt-key.ts'

/** A receipt as the offer-receipt extension of x402 writes it. */
export interface X402Receipt {
  readonly format: 'jws'
  /** JWS Compact Serialization (RFC 7515), EdDSA. */
  readonly signature: string
}

/** What a receipt says of a payment. */
interface Facts {
  readonly network: string
  readonly path: string
  readonly payer: string
  readonly transaction: string
  readonly settledAt: string
}

/** Where the two programs sell: who bought at one of them looks for its key there. */
interface Places {
  readonly baseUrl: string
  readonly gameUrl: string
}

const toPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Bytes for what was signed last, which buyers who lost their answer ask for again: some hundreds of receipts. */
const keptBytes = 1024 * 1024

/**
 * Signs what buyers can show to others. Equal facts have equal signatures, so that nothing signed has to be kept: a
 * receipt that is read again after the key was changed is signed with the new one.
 */
export function makeReceiptSigner({ privateKey, x }: ReceiptKey, { baseUrl, gameUrl }: Places) {
  const originOf = (offerId: string): string => (offerId.startsWith('store/') ? gameUrl : baseUrl)

  const toSigned = keepRecent(
    (text) => `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`,
    // Each is kept beside the text that it is found by.
    { atMost: keptBytes, sizeOf: ({ length }) => 2 * length },
  )

  const headers = new Map<string, string>()
  /** One for each kind and origin, of which there are few. */
  const toHeader = (origin: string, typ: 'receipt' | 'refund' | undefined): string => {
    const name = `${typ} ${origin}`
    const known = headers.get(name)
    if (known !== undefined) return known
    const header = toPart({ alg: 'EdDSA', kid: toKeyId(origin, x), ...(typ && { typ }) })
    headers.set(name, header)
    return header
  }

  /** `typ` keeps what was signed as one kind from being shown as another; the extension of x402 names none. */
  const toJws = (origin: string, payload: object, typ?: 'receipt' | 'refund'): string =>
    toSigned(`${toHeader(origin, typ)}.${toPart(payload)}`)

  return {
    /** The receipt of the x402 extension: that this wallet paid for this address and got it. */
    toX402(receipt: Facts, offerId: string): X402Receipt {
      const origin = originOf(offerId)
      const payload = {
        version: 1,
        network: receipt.network,
        resourceUrl: origin + receipt.path,
        payer: receipt.payer,
        issuedAt: Math.floor(Date.parse(receipt.settledAt) / 1000),
        transaction: receipt.transaction,
      }
      return { format: 'jws', signature: toJws(origin, payload) }
    },
    /** All that the receipt's document says, the digest of the product among it. */
    toDocument: (receipt: Facts, offerId: string): string => toJws(originOf(offerId), receipt, 'receipt'),
    /** Where the key is found. */
    keysOf: (offerId: string): string => `${originOf(offerId)}/.well-known/did.json`,
    /** What the operator says of money that went back. */
    toRefund: (facts: object): string => toJws(baseUrl, facts, 'refund'),
  }
}

export type ReceiptSigner = ReturnType<typeof makeReceiptSigner>
