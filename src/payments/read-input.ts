import type { z } from 'zod'
import { isShallow } from '../core/is-shallow.ts'
import type { InputError } from '../core/problem.ts'
import { toPointed, validate } from '../core/validate.ts'
import { readJson } from '../http/read-json.ts'
import { readQuery } from '../http/read-query.ts'
import type { Offer } from '../offers/offer.ts'

const maxDepth = 32

/** Valid input, or why it is refused: the kind of problem and each wrong field. */
export type Input<Value = Record<string, unknown>> =
  | ({ is: 'valid'; value: Value } & Sent)
  | ({
      is: 'refused'
      kind: 'invalid-input' | 'body-too-large' | 'unsupported-media-type'
      errors: InputError[]
    } & Partial<Sent>)

interface Sent {
  /** The input as it was sent, before validation; absent where it could not even be read as an object. */
  sent: object
}

type Refused = Extract<Input, { is: 'refused' }>

/** Which input is read, and within which limits. Offers have this, and free routes of the game's store. */
export type Reading<Schema extends z.ZodObject> = Pick<Offer<Schema>, 'method' | 'input' | 'maxBodyBytes'>

const refuse = (
  detail: string,
  kind: 'invalid-input' | 'body-too-large' | 'unsupported-media-type' = 'invalid-input',
): Refused => ({
  is: 'refused',
  kind,
  errors: [{ pointer: '', detail }],
})

/** Reads and validates what a request asks for: the JSON body of a POST, the query of a GET. */
export async function readInput<Schema extends z.ZodObject>(
  offer: Reading<Schema>,
  request: Request,
): Promise<Input<z.output<Schema>>> {
  return offer.method === 'GET' ? readSearch(offer, new URL(request.url).searchParams) : readBody(offer, request)
}

/** The input of a GET without a query. */
export const readNothing = <Schema extends z.ZodObject>(offer: Reading<Schema>): Input<z.output<Schema>> =>
  readSearch(offer, new URLSearchParams())

function readSearch<Schema extends z.ZodObject>(
  { input }: Reading<Schema>,
  search: URLSearchParams,
): Input<z.output<Schema>> {
  const read = readQuery(input, search)
  const sent = toObject(search)
  return read.is === 'valid' ? { ...read, sent } : { ...read, kind: 'invalid-input', sent }
}

async function readBody<Schema extends z.ZodObject>(
  offer: Reading<Schema>,
  request: Request,
): Promise<Input<z.output<Schema>>> {
  const body = await readJson(request, { maxBytes: offer.maxBodyBytes, maxDepth })
  return body.is === 'object' ? check(offer, body.value) : refuse(body.detail, body.kind)
}

/**
 * Validates the arguments of a tool call, which stand for the body of a POST or the query of a GET. As in a query,
 * unknown arguments of a GET are ignored; so is `inspect`, which gives a free description over HTTP only.
 */
export function readArguments<Schema extends z.ZodObject>(
  offer: Reading<Schema>,
  given: unknown,
): Input<z.output<Schema>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refuse('the arguments must be a JSON object')
  if (!isShallow(given, maxDepth)) return refuse(`the arguments may be nested ${maxDepth} levels deep at most`)
  if (Buffer.byteLength(JSON.stringify(given)) > offer.maxBodyBytes)
    return refuse(`the arguments may have ${offer.maxBodyBytes} bytes of JSON at most`, 'body-too-large')
  return check(offer, offer.method === 'GET' ? withoutInspect(given) : given)
}

/**
 * A query as an object, like the arguments of a tool. A repeated parameter becomes a list, which no query schema
 * accepts.
 */
const toObject = (search: URLSearchParams): object =>
  Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const all = search.getAll(name)
      return [name, all.length > 1 ? all : all[0]]
    }),
  )

const withoutInspect = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([name]) => name !== 'inspect'))

function check<Schema extends z.ZodObject>({ input }: Reading<Schema>, given: object): Input<z.output<Schema>> {
  const read = validate(input, given)
  return read.is === 'valid'
    ? { ...read, sent: given }
    : { is: 'refused', kind: 'invalid-input', errors: read.faults.map(toPointed), sent: given }
}
