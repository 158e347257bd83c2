import { type Fields, readFields, readHeader, readList, readText } from '../browser/read-value.ts'

/** The terms of a 402, in the only form that this page can sign. */
export interface Terms {
  /** The whole content of the 402, whose parts are sent back unchanged. */
  readonly required: Fields
  readonly accepted: Fields
  readonly chainId: number
  readonly asset: string
  readonly payTo: string
  /** The amount in micro-USD. */
  readonly amount: string
  readonly seconds: number
  /** The EIP-712 name of the token. */
  readonly name: string
  readonly version: string
  /**
   * Milliseconds by which the clock of this browser is behind that of the shop, because a signature by it would expire
   * too early. Negative where it is so far ahead that the signature would last longer than shops allow; 0 in between.
   */
  readonly lateMs: number
}

/**
 * The largest lead of this clock that is ignored: a shop accepts a signature that lasts an hour longer than it asks.
 */
const toleratedMs = 3_000_000

/** Reads the terms of a 402; undefined when it asks for something other than an exact payment in a token. */
export function readTerms({ headers }: Pick<Response, 'headers'>): Terms | undefined {
  const required = readHeader(headers.get('payment-required'))
  const accepted = readList(required['accepts'])
    .map(readFields)
    .find(({ scheme }) => scheme === 'exact')
  const [, chain] = /^eip155:(\d+)$/.exec(readText(accepted?.['network'])) ?? []
  if (!accepted || chain === undefined) return undefined
  const extra = readFields(accepted['extra'])
  const lateMs = Date.parse(headers.get('date') ?? '') - Date.now()
  return {
    required,
    accepted,
    chainId: Number(chain),
    asset: readText(accepted['asset']),
    payTo: readText(accepted['payTo']),
    amount: readText(accepted['amount']),
    seconds: Number(accepted['maxTimeoutSeconds']),
    name: readText(extra['name']),
    version: readText(extra['version']),
    lateMs: lateMs > 0 || lateMs < -toleratedMs ? lateMs : 0,
  }
}
