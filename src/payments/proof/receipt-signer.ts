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

/** The facts of a payment that a receipt states. */
interface Facts {
  readonly network: string
  readonly path: string
  readonly payer: string
  readonly transaction: string
  readonly settledAt: string
}

/** The origins of the two programs that sell. Receipts of each are verified with the keys published there. */
interface Places {
  readonly baseUrl: string
  readonly gameUrl: string
}

const toPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * The size of the cache of signatures in bytes, for some hundreds of receipts: buyers who lost a response ask for the
 * same receipt again.
 */
const keptBytes = 1024 * 1024

/**
 * Signs receipts and refunds, which buyers can show to others. Equal facts have equal signatures, so signatures are not
 * stored: a receipt that is read after the key was changed is signed with the new key.
 */
export function makeReceiptSigner({ privateKey, x }: ReceiptKey, { baseUrl, gameUrl }: Places) {
  const originOf = (offerId: string): string => (offerId.startsWith('store/') ? gameUrl : baseUrl)

  const toSigned = keepRecent((text) => `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`, {
    atMost: keptBytes,
    sizeOf: ({ length }) => length,
  })

  const headers = new Map<string, string>()
  /** The encoded JWS header. Cached without a limit, because there are few kinds and origins. */
  const toHeader = (origin: string, typ: 'receipt' | 'refund' | undefined): string => {
    const name = `${typ} ${origin}`
    const known = headers.get(name)
    if (known !== undefined) return known
    const header = toPart({ alg: 'EdDSA', kid: toKeyId(origin, x), ...(typ && { typ }) })
    headers.set(name, header)
    return header
  }

  /** `typ` prevents that a document of one kind is passed off as another; the x402 extension does not use it. */
  const toJws = (origin: string, payload: object, typ?: 'receipt' | 'refund'): string =>
    toSigned(`${toHeader(origin, typ)}.${toPart(payload)}`)

  return {
    /** The receipt of the x402 extension: this wallet paid for this URL and received it. */
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
    /** A JWS over all fields of the receipt, including the digest of the product. */
    toDocument: (receipt: Facts, offerId: string): string => toJws(originOf(offerId), receipt, 'receipt'),
    /** The URL of the document with the keys that verify receipts of an offer. */
    keysOf: (offerId: string): string => `${originOf(offerId)}/.well-known/did.json`,
    /** A JWS over the operator's statement of a refund. */
    toRefund: (facts: object): string => toJws(baseUrl, facts, 'refund'),
  }
}

export type ReceiptSigner = ReturnType<typeof makeReceiptSigner>
