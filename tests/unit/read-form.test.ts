import { expect, it } from 'vitest'
import { Problem } from '../../src/core/problem.ts'
import { readForm } from '../../src/http/read-form.ts'

const maxBytes = 64 * 1024

const post = (body: string): Request =>
  new Request('https://press.example/api/form', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })

it('reads the fields of a form, each sent once', async () => {
  const form = await readForm(post('source=https%3A%2F%2Fa.example%2F&target=x&empty'), maxBytes)
  expect([...form]).toEqual([
    ['source', 'https://a.example/'],
    ['target', 'x'],
    ['empty', ''],
  ])
})

it.for(['a=1&a=2', 'a&a', 'b=1&a=1&b=1', '%61=1&a=1'])(
  'refuses %s, which gives a field more than once',
  async (body) => {
    await expect(readForm(post(body), maxBytes)).rejects.toThrow(Problem)
  },
)

it('reads a form of many names without values in linear time', async () => {
  const names = Array.from({ length: 16_000 }, (_, at) => at.toString(36))
  const from = process.cpuUsage()
  const form = await readForm(post(names.join('&')), maxBytes)
  const ms = process.cpuUsage(from).user / 1000
  expect(form.size).toBe(16_000)
  // Looking each name up would take seconds.
  expect(ms).toBeLessThan(600)
})

const told = (error: unknown) => error instanceof Problem && { kind: error.kind, ...error.options }
const refusal = (body: BodyInit, type: string) => {
  const request = new Request('https://press.example/api/form', {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  })
  return readForm(request, 10).then(() => undefined, told)
}

it('accepts the media type in any letter case, and a form of the maximum length', async () => {
  for (const type of ['Application/X-WWW-Form-Urlencoded', 'application/x-www-form-urlencoded ; charset=UTF-8'])
    expect(await refusal('a=12345678', type)).toBeUndefined()
})

it('says what is wrong with a body that is not a form or too long', async () => {
  expect(await refusal('{"a":1}', 'application/json')).toMatchObject({
    kind: 'invalid-input',
    errors: [{ pointer: '', detail: 'the Content-Type must be application/x-www-form-urlencoded' }],
  })
  expect(await refusal('a=123456789', 'application/x-www-form-urlencoded')).toMatchObject({
    kind: 'body-too-large',
    detail: 'A form may have at most 10 bytes here',
  })
})
