import { toDisplay } from '../core/money.ts'

/** The content of a 402 that is shown to people. */
export interface Terms {
  /** Label and value, in the order to show them. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** The decoded header, for those who want all of it. */
  readonly whole: string
}

/** Whether a JSON value is an object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A JSON string or number as text; undefined for other types. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/**
 * Reads the terms of a 402, and the faults of the request that its body lists.
 *
 * @param header the `PAYMENT-REQUIRED` header: base64 of JSON (x402 v2, HTTP transport)
 * @throws SyntaxError when the header is not that
 */
export function readTerms(header: string, body: unknown): Terms {
  const bytes = Uint8Array.from(atob(header), (character) => character.charCodeAt(0))
  const terms: unknown = JSON.parse(new TextDecoder().decode(bytes))
  const [offered] = isObject(terms) && Array.isArray(terms.accepts) ? terms.accepts.filter(isObject) : []
  const amount = textOf(offered?.amount)
  const facts: [string, string | undefined][] = [
    ['Price', amount !== undefined && /^\d+$/.test(amount) ? `${toDisplay(BigInt(amount))} in USDC` : undefined],
    ['Amount', amount],
    ['Pay to', textOf(offered?.payTo)],
    ['Network', textOf(offered?.network)],
    ['Asset', textOf(offered?.asset)],
    [
      'Valid for',
      offered?.maxTimeoutSeconds === undefined ? undefined : `${textOf(offered.maxTimeoutSeconds)} seconds`,
    ],
    ...refusalsOf(body).map((refusal): [string, string] => ['Would be refused', refusal]),
  ]
  return {
    facts: facts.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const])),
    whole: JSON.stringify(terms, null, 2),
  }
}

function refusalsOf(body: unknown): string[] {
  const errors = isObject(body) && Array.isArray(body.errors) ? body.errors.filter(isObject) : []
  return errors.map(({ pointer, parameter, detail }) => {
    const place = textOf(pointer) ?? textOf(parameter) ?? ''
    return `${place === '' ? 'the body' : place} ${textOf(detail) ?? ''}`.trim()
  })
}
