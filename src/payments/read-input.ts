import type { z } from 'zod'
import type { Offer } from '../../functions/offer.ts'
import { isShallow } from '../is-shallow.ts'
import type { InputError } from '../problem.ts'
import { readCapped } from '../read-capped.ts'
import { type ToError, toInputErrors, toPointed } from '../to-input-errors.ts'

const maxDepth = 32

/** Input that may be sold, or why not: the kind of problem and each wrong field. */
export type Input<Value = Record<string, unknown>> =
  | { is: 'valid'; value: Value }
  | { is: 'refused'; kind: 'invalid-input' | 'body-too-large' | 'unsupported-media-type'; errors: InputError[] }

type Refused = Extract<Input, { is: 'refused' }>

/** What is read, and within which limits: an offer, or a free route of the game's store. */
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
  return offer.method === 'GET' ? readQuery(offer, new URL(request.url).searchParams) : readBody(offer, request)
}

function readQuery<Schema extends z.ZodObject>(
  offer: Reading<Schema>,
  query: URLSearchParams,
): Input<z.output<Schema>> {
  const known = Object.keys(offer.input.shape)
  const repeated = known.filter((name) => query.getAll(name).length > 1)
  if (repeated.length > 0)
    return {
      is: 'refused',
      kind: 'invalid-input',
      errors: repeated.map((parameter) => ({ parameter, detail: 'is given more than once' })),
    }
  const given = Object.fromEntries(known.flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : [])))
  return validate(offer, given, (path, detail) => ({ parameter: path.join('.'), detail }))
}

async function readBody<Schema extends z.ZodObject>(
  offer: Reading<Schema>,
  request: Request,
): Promise<Input<z.output<Schema>>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (request.headers.has('content-encoding'))
    return refuse('the body must not be compressed (no Content-Encoding)', 'unsupported-media-type')
  if (type !== 'application/json') return refuse('the Content-Type must be application/json', 'unsupported-media-type')
  const tooLarge = `the body may have ${offer.maxBodyBytes} bytes at most`
  if (Number(request.headers.get('content-length') ?? 0) > offer.maxBodyBytes) return refuse(tooLarge, 'body-too-large')
  // A body that breaks off has no reader any more; what is answered only has to be harmless.
  const bytes = await readCapped(request.body, offer.maxBodyBytes).catch(() => null)
  if (bytes === null) return refuse('the body broke off')
  if (!bytes) return refuse(tooLarge, 'body-too-large')

  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return refuse('the body is not UTF-8')
  }
  if (text.startsWith('\ufeff')) return refuse('the body must not start with a byte order mark')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse(text === '' ? 'a JSON object is needed' : 'the body is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('the body must be a JSON object')
  if (!isShallow(value, maxDepth)) return refuse(`the body may be nested ${maxDepth} levels deep at most`)
  return validate(offer, value, toPointed)
}

/** Validates the arguments of a tool call: what would be the body of a POST. A product fetched by GET takes none. */
export function readArguments<Schema extends z.ZodObject>(
  offer: Reading<Schema>,
  given: unknown,
): Input<z.output<Schema>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refuse('the arguments must be a JSON object')
  if (!isShallow(given, maxDepth)) return refuse(`the arguments may be nested ${maxDepth} levels deep at most`)
  if (Buffer.byteLength(JSON.stringify(given)) > offer.maxBodyBytes)
    return refuse(`the arguments may have ${offer.maxBodyBytes} bytes of JSON at most`, 'body-too-large')
  return validate(offer, offer.method === 'GET' ? {} : given, toPointed)
}

function validate<Schema extends z.ZodObject>(
  offer: Reading<Schema>,
  given: unknown,
  toError: ToError,
): Input<z.output<Schema>> {
  const read = offer.input.safeParse(given)
  if (read.success) return { is: 'valid', value: read.data }
  return { is: 'refused', kind: 'invalid-input', errors: toInputErrors(read.error, toError) }
}
