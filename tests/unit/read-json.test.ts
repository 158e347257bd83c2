import { expect, it } from 'vitest'
import { readJson } from '../../src/http/read-json.ts'

it.each([
  ['identity', 'object'],
  ['Identity', 'object'],
  ['gzip', 'refused'],
  ['identity, gzip', 'refused'],
])('reads a body with the encoding %s as %s', async (encoding, expected) => {
  const request = new Request('http://farthing.test', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    body: '{}',
  })
  expect((await readJson(request, { maxBytes: 100, maxDepth: 5 })).is).toBe(expected)
})

const limits = { maxBytes: 40, maxDepth: 3 }
const read = (body: BodyInit, type: string | null = 'application/json') => {
  const headers = new Headers(type === null ? {} : { 'content-type': type })
  const sent: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  return readJson(new Request('http://farthing.test', sent), limits)
}

it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/json ;charset=utf-8'])(
  'accepts the media type %s',
  async (type) => {
    expect(await read('{"a":"\u{1f3aa}"}', type)).toEqual({ is: 'object', value: { a: '\u{1f3aa}' } })
  },
)

const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => new Uint8Array(values)
const [openBrace, closeBrace] = [0x7b, 0x7d]
const broken = () =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(bytes(openBrace))
    },
    pull(controller) {
      controller.error(new Error('gone'))
    },
  })

it.each([
  [
    'of another type',
    () => read('{}', 'text/plain'),
    'unsupported-media-type',
    'the Content-Type must be application/json',
  ],
  [
    'of no type',
    () => read(bytes(openBrace, closeBrace), null),
    'unsupported-media-type',
    'the Content-Type must be application/json',
  ],
  ['that is too long', () => read(`"${'x'.repeat(39)}"`), 'body-too-large', 'the body may have 40 bytes at most'],
  ['that breaks off', () => read(broken()), 'invalid-input', 'the body was cut off'],
  ['of other letters', () => read(bytes(openBrace, 0xff, closeBrace)), 'invalid-input', 'the body is not UTF-8'],
  [
    'that begins with a mark',
    () => read('\ufeff{}'),
    'invalid-input',
    'the body must not start with a byte order mark',
  ],
  ['of nothing', () => read(''), 'invalid-input', 'a JSON object is needed'],
  ['that is no JSON', () => read('{a:1}'), 'invalid-input', 'the body is not JSON'],
  ['that is a list', () => read('[]'), 'invalid-input', 'the body must be a JSON object'],
  ['that is null', () => read('null'), 'invalid-input', 'the body must be a JSON object'],
  ['that is a word', () => read('"{}"'), 'invalid-input', 'the body must be a JSON object'],
  [
    'that is nested',
    () => read('{"a":{"b":{"c":{}}}}'),
    'invalid-input',
    'the body may be nested 3 levels deep at most',
  ],
] as const)('refuses a body %s, and says so', async (_, answer, kind, detail) => {
  expect(await answer()).toEqual({ is: 'refused', kind, detail })
})

it('accepts a body of the maximum length and depth', async () => {
  const value = { a: { b: { c: 'x'.repeat(40 - '{"a":{"b":{"c":""}}}'.length) } } }
  expect(await read(JSON.stringify(value))).toEqual({ is: 'object', value })
})
