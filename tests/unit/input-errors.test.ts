import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readMessage } from '../../game-server/sockets/read-message.ts'
import { toPointed, validate } from '../../src/core/validate.ts'
import { figure, seed } from '../support/figures.ts'
import { spoil } from '../support/fuzzed-input.ts'
import { sampleOffers } from '../support/sample-shop.ts'

/** Every error as one line with its pointer and its sentence. */
const errorsOf = (schema: z.ZodType, value: unknown): string[] => {
  const read = validate(schema, value)
  return read.is === 'valid'
    ? []
    : read.faults.map(toPointed).map((error) => `${'pointer' in error ? error.pointer : '?'} ${error.detail}`)
}

const pages = z.int().min(1).max(20)
const name = z.string().min(3).max(60)
const kinds = z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })])
const forms = z.union([z.string().max(2), z.int().max(5), z.object({ at: z.string() })])
const day = new Date('2026-11-20T09:00:00Z')

type Row = readonly [schema: z.ZodType, value: unknown, ...errors: string[]]
const table: Readonly<Record<z.core.$ZodIssueCode, readonly Row[]>> = {
  invalid_type: [
    [z.object({ name }), {}, '/name is missing'],
    [z.object({ name }), null, ' must be an object'],
    [z.record(z.string(), z.string()), [], ' must be an object'],
    [name, {}, ' must be text of 3 to 60 characters'],
    [z.string(), 5, ' must be text; put it in quotes'],
    [pages, 'five', ' must be a whole number from 1 to 20'],
    [pages, 1.5, ' must be a whole number from 1 to 20'],
    [z.coerce.number().int().min(1).max(100), 'x', ' must be a whole number from 1 to 100'],
    [z.int(), '5', ' must be a whole number'],
    [z.number(), Number.NaN, ' must be a number'],
    [z.boolean(), 'yes', ' must be true or false'],
    [z.array(z.string()).min(1).max(2), 'a', ' must be a list of 1 to 2 items'],
    [z.null(), 1, ' must be null'],
    [z.never(), 1, ' must be left out'],
    [z.instanceof(URL), 1, ' must be a URL'],
  ],
  too_big: [
    [pages, 99, ' must be a whole number from 1 to 20'],
    [z.int(), 2 ** 60, ' must be a whole number'],
    [z.number().gt(0).lt(3), 3, ' must be a number of more than 0 and less than 3'],
    [z.bigint().max(5n), 6n, ' must be a whole number of at most 5'],
    [name, 'x'.repeat(61), ' must have 3 to 60 characters'],
    [z.string().length(3), 'four', ' must have 3 characters'],
    [z.array(z.int()).max(1), [1, 2], ' must have at most 1 item'],
    [z.set(z.int()).max(1), new Set([1, 2]), ' must have at most 1 item'],
    [z.date().max(day), new Date('2027-01-01'), ' must not be later than 2026-11-20T09:00:00.000Z'],
  ],
  too_small: [
    [pages, 0, ' must be a whole number from 1 to 20'],
    [z.number().min(0.5), 0, ' must be a number of at least 0.5'],
    [name, 'x', ' must have 3 to 60 characters'],
    [z.string().min(1), '', ' must not be empty'],
    [z.array(z.int()).min(2), [1], ' must have at least 2 items'],
    [z.date().min(day), new Date(0), ' must not be earlier than 2026-11-20T09:00:00.000Z'],
  ],
  invalid_format: [
    [z.url(), 'x', ' must be an address like https://example.com/'],
    [z.iso.date(), 'x', ' must be a date like 2026-11-20'],
    [z.string().regex(/^a+$/), 'b', ' must match /^a+$/'],
    [z.string().startsWith('0x'), 'b', ' must start with 0x'],
    [z.string().endsWith('.md'), 'b', ' must end with .md'],
    [z.string().includes('@'), 'b', ' must contain @'],
    [z.jwt(), 'b', ' must be in the format jwt'],
  ],
  not_multiple_of: [[z.number().multipleOf(0.5), 0.7, ' must be a multiple of 0.5']],
  unrecognized_keys: [
    [
      z.strictObject({ name, pages: pages.optional() }),
      { name: 'Ada', page: 1, 'a/\u202eb': 2 },
      '/page is not known here; known are name, pages',
      '/a~1?b is not known here; known are name, pages',
    ],
    [z.strictObject({}), { page: 1 }, '/page is not known here'],
  ],
  invalid_value: [
    [z.enum(['16:9', '1:1']), '2:1', ' must be one of 16:9, 1:1'],
    [z.object({ mode: z.enum(['a', 'b']) }), {}, '/mode is missing'],
    [z.literal(2), 1, ' must be 2'],
  ],
  invalid_union: [
    [kinds, { kind: 'c' }, '/kind must be one of a, b'],
    [kinds, {}, '/kind is missing'],
    [kinds, 1, ' must be an object'],
    [forms, { at: 1 }, '/at must be text; put it in quotes'],
    [forms, 'long', ' must have at most 2 characters'],
    [forms, null, ' must be text of at most 2 characters, or a whole number of at most 5, or an object'],
    [z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]), {}, ' its a is missing, or its b is missing'],
    [z.xor([z.string(), z.string().max(9)]), 'x', ' fits more than one of the forms it may have'],
  ],
  invalid_key: [
    [
      z.record(z.string().max(2), z.int()),
      { abc: 1 },
      '/abc is a name that is not allowed: it must have at most 2 characters',
    ],
  ],
  invalid_element: [
    [
      z.map(z.object({}), pages),
      new Map([[{}, 0]]),
      ' holds something that is not allowed: it must be a whole number from 1 to 20',
    ],
  ],
  custom: [
    [z.string().refine(() => false), 'x', ' is not allowed'],
    [z.string().refine(() => false, 'must rhyme'), 'x', ' must rhyme'],
  ],
}

describe('what is wrong with an input', () => {
  it.each(Object.entries(table))('is stated in a sentence after the field: %s', (_, rows) => {
    for (const [schema, value, ...errors] of rows) expect(errorsOf(schema, value)).toEqual(errors)
  })
})

/** Zod's own wording, which people do not understand. */
const raw = /\b(?:invalid|expected|received|unrecognized|undefined|NaN|too (?:big|small)|ZodError)\b|\[object/i
const isOurs = (detail: string): boolean => /^(?:must|is|has|fits|holds|its|may) \S/.test(detail) && !raw.test(detail)

describe('an input that breaks a bound of a product', () => {
  const offerOf = (slug: string) => sampleOffers.find((offer) => offer.slug === slug)
  it.each([
    ['llms-pack', { maxCharsPerPage: 999 }, '/maxCharsPerPage must be a whole number from 1000 to 50000'],
    ['llms-pack', { maxCharsPerPage: 50_001 }, '/maxCharsPerPage must be a whole number from 1000 to 50000'],
    ['llms-pack', { maxCharsPerPage: 1000.5 }, '/maxCharsPerPage must be a whole number from 1000 to 50000'],
    ['narrate', { voiceId: '' }, '/voiceId must have 1 to 128 characters'],
    ['narrate', { voiceId: 'x'.repeat(129) }, '/voiceId must have 1 to 128 characters'],
    ['image-generate', { seed: 1_000_000 }, '/seed must be a whole number from 0 to 999999'],
    ['image-generate', { title: undefined }, '/title is missing'],
    ['session-status', { siteUrl: undefined }, '/siteUrl is missing'],
  ])('is told the bound, without repeating the input: %s %j', (slug, wrong, error) => {
    const offer = offerOf(slug)
    expect(offer && errorsOf(offer.input, { ...offer.example, ...wrong })).toEqual([error])
  })
})

describe('any input', () => {
  it.each(sampleOffers.map((offer) => [offer.id, offer] as const))(
    'to buy %s is refused in our own words',
    (_, { input, example }) => {
      fc.assert(
        fc.property(spoil(example), (given) => {
          const read = validate(input, given)
          for (const { detail, ...place } of read.is === 'valid' ? [] : read.faults.map(toPointed)) {
            expect(detail).toSatisfy(isOurs)
            expect(place).toEqual({ pointer: expect.stringMatching(/^(?:\/|$)/) })
          }
        }),
        { numRuns: figure(200, 20_000), ...seed },
      )
    },
  )

  it.each([
    { type: 'join', name: 'Ada', kind: 'agent', obs: 'text' },
    { type: 'input', key: 'north', n: 1 },
    { type: 'watch', player: 'Ada' },
    { type: 'say', text: 'hello' },
  ])('to the game is refused in our own words: $type', (example) => {
    fc.assert(
      fc.property(spoil(example), (given) => {
        const read = readMessage(JSON.stringify({ ...Object(given), type: example.type }))
        if (read.type === 'bad') expect(read.message.replace(/^\w+ /, '')).toSatisfy(isOurs)
      }),
      { numRuns: figure(200, 20_000), ...seed },
    )
  })
})
