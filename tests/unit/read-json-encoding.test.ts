import { expect, it } from 'vitest'
import { readJson } from '../../src/http/read-json.ts'

it.each([
  ['identity', 'object'],
  ['Identity', 'object'],
  ['gzip', 'refused'],
  ['identity, gzip', 'refused'],
])('takes a body whose encoding is said to be %s as %s', async (encoding, expected) => {
  const request = new Request('http://farthing.test', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    body: '{}',
  })
  expect((await readJson(request, { maxBytes: 100, maxDepth: 5 })).is).toBe(expected)
})
