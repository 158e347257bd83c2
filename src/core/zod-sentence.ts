import { z } from 'zod'
import { type Bounds, toBounds, toNumbers, toReal, toSize } from './schema-bounds.ts'

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]
type Only<Code> = Extract<RawIssue, { code: Code }>

/**
 * What is wrong with a value, as the part of a sentence that follows the name of its field. Pass it to Zod as `error`;
 * a message that the schema itself has for the fault takes precedence.
 *
 * @example schema.safeParse({ pages: 99 }, { error: toSentence }) // pages: 'must be a whole number from 1 to 20'
 */
export const toSentence: z.core.$ZodErrorMap = (issue) => {
  if (isMissing(issue)) return 'is missing'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${toKind(issue)}`
    case 'too_big':
    case 'too_small':
      return toBoundsSentence(issue)
    case 'invalid_format':
      return toFormatSentence(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return toUnknownSentence(issue)
    case 'invalid_value':
      return `must be ${toChoice(issue.values)}`
    case 'invalid_union':
      if (Array.isArray(issue.options)) return `must be ${toChoice(issue.options)}`
      return issue.inclusive === false ? 'fits more than one of the forms it may have' : toAlternatives(issue.errors)
    case 'invalid_key':
      return `is a name that is not allowed: it ${issue.issues[0]?.message ?? 'is wrong'}`
    case 'invalid_element':
      return `holds something that is not allowed: it ${issue.issues[0]?.message ?? 'is wrong'}`
    case 'custom':
      return 'is not allowed'
  }
}

/** Whether the value is missing, or, in a discriminated union, its discriminator. */
function isMissing(issue: RawIssue): boolean {
  if (issue.input === undefined) return true
  const name = issue.code === 'invalid_union' && issue.discriminator
  return (
    Boolean(name) &&
    typeof issue.input === 'object' &&
    issue.input !== null &&
    !Object.hasOwn(issue.input, String(name))
  )
}

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  bigint: 'a whole number',
  boolean: 'true or false',
  int: 'a whole number',
  nan: 'NaN',
  never: 'left out',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
  tuple: 'a list',
  undefined: 'left out',
  void: 'left out',
}

const quotesHint = '; put it in quotes'

/** The expected type with its bounds, so that the caller need not find them out by further attempts. */
function toKind({ expected, input, schema }: Only<'invalid_type'>): string {
  const bounds = toBounds(schema)
  if (expected === 'number' || expected === 'int') return toNumbers(bounds)
  const size = bounds.unit && (bounds.max ?? bounds.min ?? 0) > 1 && toSize(bounds)
  const quotes = expected === 'string' && ['number', 'boolean', 'bigint'].includes(typeof input)
  return `${kinds[expected] ?? `a ${expected}`}${size ? ` of ${size}` : ''}${quotes ? quotesHint : ''}`
}

const units: Readonly<Record<string, string>> = {
  array: 'item',
  file: 'byte',
  map: 'entry',
  set: 'item',
  string: 'character',
}

function toBoundsSentence(issue: Only<'too_big'> | Only<'too_small'>): string {
  const isOpen = issue.inclusive === false
  if (issue.origin === 'date')
    return issue.code === 'too_big'
      ? `must not be later than ${toInstant(issue.maximum)}`
      : `must not be earlier than ${toInstant(issue.minimum)}`
  const told =
    issue.code === 'too_big'
      ? { max: toReal(issue.maximum), isMaxOpen: isOpen }
      : { min: toReal(issue.minimum), isMinOpen: isOpen }
  const isWhole = issue.origin === 'int' || issue.origin === 'bigint'
  const bounds: Bounds = { isWhole, unit: units[issue.origin], ...toBounds(issue.schema), ...told }
  if (!bounds.unit) return `must be ${toNumbers(bounds)}`
  return bounds.min === 1 && bounds.max === undefined ? 'must not be empty' : `must have ${toSize(bounds)}`
}

const toInstant = (time: number | bigint): string => new Date(Number(time)).toISOString()

const formats: Readonly<Record<string, string>> = {
  base64: 'base64',
  base64url: 'base64url',
  cidrv4: 'a range of IPv4 addresses',
  cidrv6: 'a range of IPv6 addresses',
  date: 'a date like 2026-11-20',
  datetime: 'an instant like 2026-11-20T09:00:00Z',
  duration: 'a duration like P1D',
  email: 'an email address',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  json_string: 'JSON',
  time: 'a time like 09:00:00',
  url: 'an address like https://example.com/',
  uuid: 'a UUID',
}

function toFormatSentence({ format, ...issue }: Only<'invalid_format'>): string {
  if (format === 'starts_with') return `must start with ${String(issue['prefix'])}`
  if (format === 'ends_with') return `must end with ${String(issue['suffix'])}`
  if (format === 'includes') return `must contain ${String(issue['includes'])}`
  const known = formats[format]
  if (known) return `must be ${known}`
  return issue.pattern ? `must match ${issue.pattern}` : `must be in the format ${format}`
}

/** The sentence for each unknown field. */
function toUnknownSentence({ inst }: Only<'unrecognized_keys'>): string {
  const known = inst instanceof z.ZodObject ? Object.keys(inst.shape) : []
  return known.length === 0 ? 'is not known here' : `is not known here; known are ${known.join(', ')}`
}

const toChoice = (values: readonly unknown[]): string =>
  values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`

/** What the value lacks for each form of a union: “must be text of at most 3 characters, or a list”. */
function toAlternatives(forms: readonly (readonly z.core.$ZodIssue[])[]): string {
  const lacks = forms.flatMap(([first]) =>
    first
      ? [
          first.path.length === 0
            ? first.message.replace(quotesHint, '')
            : `its ${first.path.join('.')} ${first.message}`,
        ]
      : [],
  )
  const [first = 'is wrong', ...others] = new Set(lacks)
  return [
    first,
    ...others.map((other) => (first.startsWith('must be ') ? other.replace(/^must be /, '') : other)),
  ].join(', or ')
}
