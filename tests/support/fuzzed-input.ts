import fc from 'fast-check'
import type { Offer } from '../../src/offers/offer.ts'

/** Query strings: none, well-formed ones, and similar text. */
export const fuzzedQuery = fc.oneof(
  fc.constant(''),
  fc.webQueryParameters().map((text) => `?${text}`),
  fc.string({ unit: fc.constantFrom(...'abinspect=&%?/;+[]"\\\xff01'), maxLength: 40 }).map((text) => `?${text}`),
)

const nasty = fc.constantFrom<unknown>(
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\u202e',
    '\u200b',
    '__proto__',
    'constructor',
    'null',
    'https://',
    'https://\0/',
  ],
  ...['0', '1', '-1', '1.5', '1e5', '0x10', '00', '9'.repeat(78), '9'.repeat(400), '0x', `0x${'0'.repeat(40)}`],
  ...[
    'a'.repeat(20_000),
    '<script>',
    '../../x',
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    true,
    null,
    [],
    {},
    [[]],
    JSON.parse('{"__proto__":[]}'),
  ],
)

/** Replaces any value within, or adds or removes a field. */
export const spoil = (value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value))
    return fc.oneof(
      nasty,
      nasty.map((part) => [...value, part]),
      fc.jsonValue({ maxDepth: 3 }),
    )
  if (typeof value !== 'object' || value === null) return fc.oneof(nasty, fc.jsonValue({ maxDepth: 3 }))
  const entries = Object.entries(value)
  const replaced = entries.map(([key, part]) => spoil(part).map((spoiled) => ({ ...value, [key]: spoiled })))
  const removed = entries.map(([key]) => fc.constant(Object.fromEntries(entries.filter(([name]) => name !== key))))
  const added = fc.tuple(fc.string(), fc.jsonValue({ maxDepth: 2 })).map(([key, part]) => ({ ...value, [key]: part }))
  return fc.oneof(fc.constant(value), fc.jsonValue(), added, ...replaced, ...replaced, ...removed)
}

/** Bodies close to a valid example, arbitrary JSON, arbitrary bytes, and very deep nesting. */
export const fuzzedBody = (offer: Offer): fc.Arbitrary<Buffer> =>
  fc.oneof(
    spoil(offer.example).map((body) => Buffer.from(JSON.stringify(body))),
    fc.json({ maxDepth: 6 }).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(fc.constantFrom('[', '{"a":', '"\\u'), fc.integer({ min: 1, max: 20_000 }))
      .map(([part, times]) => Buffer.from(part.repeat(times))),
  )
