import { type Fields, readFields, readHeader, readList, readText } from '../browser/read-value.ts'

/** What a 402 asks for, in the one form that this page can sign. */
export interface Terms {
  /** All of the demand, for the parts that are sent back as they came. */
  readonly required: Fields
  readonly accepted: Fields
  readonly chainId: number
  readonly asset: string
  readonly payTo: string
  /** Millionths of a dollar. */
  readonly amount: string
  readonly seconds: number
  /** Of the token, as it is signed over. */
  readonly name: string
  readonly version: string
  /**
   * Milliseconds by which the clock of this browser is behind the shop's, where it is: a signature by it would end too
   * soon. Less than nothing where it is so far ahead that a signature by it would last longer than shops allow.
   */
  readonly lateMs: number
}

/** A shop takes a signature that lasts an hour longer than it asks. */
const toleratedMs = 3_000_000

/** Reads the terms of a 402; undefined when it asks for something else than an exact payment in a token. */
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
