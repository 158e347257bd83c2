import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { buy, type Counter } from '../../src/checkout/buy.ts'
import { findKept, keepPurchase } from '../../src/checkout/kept-purchases.ts'
import { PageStorage } from '../support/page-storage.ts'

const validBefore = String(Math.floor(Date.now() / 1000) + 220)
const header = btoa(JSON.stringify({ payload: { authorization: { validBefore } } }))
const purchase = { id: 'card', method: 'POST', path: '/card', body: '{"text":"long"}' }
const refusal = {
  type: '/problems/invalid-input',
  status: 400,
  charged: true,
  detail: 'it has paid for an earlier one',
}

const said: string[] = []
const counter: Counter = {
  isSandbox: true,
  say: (...content) => void said.push(content.join('')),
  choose: async () => undefined,
  agrees: () => true,
  // The page itself says beside the marked fields that nothing was charged.
  heard: () => true,
  hand() {},
}
let sent: unknown[]
const answer = (status: number, body: object): void => {
  vi.stubGlobal('fetch', async (path: string, { body: text }: RequestInit) => {
    sent.push([path, text])
    return Response.json(body, { status })
  })
}

beforeEach(() => {
  sent = []
  said.length = 0
  vi.stubGlobal('localStorage', new PageStorage())
})
afterEach(() => vi.unstubAllGlobals())

it('a page keeps a paid request whose input is now refused, and repeats exactly that request', async () => {
  keepPurchase({ ...purchase, header, declined: '' })
  answer(400, { ...refusal, errors: [{ pointer: '/text', detail: 'is too long' }] })
  await buy(counter, purchase)
  expect(findKept('card')).toMatchObject({ ...purchase, header })
  await buy(counter, { ...purchase, body: '{"text":"ok"}' })
  expect(findKept('card')).toMatchObject({ ...purchase, header })
  expect(sent).toEqual([
    ['/card', purchase.body],
    ['/card', purchase.body],
  ])
  expect(said.at(-1)).toBe('it has paid for an earlier one')
})

it('a page keeps the paid request when another request with its signature is refused', async () => {
  keepPurchase({ ...purchase, header, declined: 'the wallet was empty then' })
  answer(400, { ...refusal, errors: [{ pointer: '/text', detail: 'is too short' }] })
  await buy(counter, { ...purchase, body: '{"text":""}' })
  expect(findKept('card')).toMatchObject({ ...purchase, header, declined: '' })
  expect(sent).toEqual([['/card', '{"text":""}']])
})

it('a page forgets a paid purchase whose delivery is over, so that it can be bought again', async () => {
  keepPurchase({ ...purchase, header, declined: '' })
  answer(410, { type: '/problems/already-delivered', status: 410, charged: true, detail: 'it is over' })
  await buy(counter, purchase)
  expect(findKept('card')).toBeUndefined()
  expect(said.at(-1)).toBe('it is over')
})

it('a page ends the shop’s message with a full stop before its own sentence about the money', async () => {
  answer(400, { detail: 'the text is too long' })
  await buy({ ...counter, heard: () => false }, purchase)
  keepPurchase({ ...purchase, header })
  await buy({ ...counter, heard: () => false }, purchase)
  expect(said.filter((words) => words.startsWith('the text'))).toEqual([
    'the text is too long. Nothing was charged.',
    expect.stringMatching(/^the text is too long\. What you signed stays good until /),
  ])
})
