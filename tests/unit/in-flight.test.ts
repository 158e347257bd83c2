import { expect, it } from 'vitest'
import { makeInFlight } from '../../src/payments/purchase/in-flight.ts'
import type { Outcome } from '../../src/payments/purchase/outcome.ts'

const authorization = {
  from: '0xa',
  to: '0xb',
  value: '100000',
  validAfter: '0',
  validBefore: '2000000000',
  nonce: '0xc',
}
const payment = { key: 'k', authorization, tokenHash: 't', identifierHash: null }
const toCopy = ({ signal: gone }: AbortController) => ({ payment, fingerprint: 'f', gone })

it('is aborted when the last of its copies is gone, in any order', () => {
  const { run, left } = makeInFlight()
  const buyers = [new AbortController(), new AbortController(), new AbortController()]
  const [first, second, third] = buyers
  for (const buyer of buyers) void run(toCopy(buyer), () => new Promise(() => {}))
  second?.abort()
  // A copy whose connection was already closed changes nothing.
  const late = new AbortController()
  late.abort()
  void run(toCopy(late), () => new Promise(() => {}))
  third?.abort()
  expect(left('k').aborted).toBe(false)
  first?.abort()
  expect(left('k').aborted).toBe(true)
})

it('is aborted by twenty thousand copies in linear time', () => {
  const { run, left } = makeInFlight()
  const buyers = Array.from({ length: 20_000 }, () => new AbortController())
  for (const buyer of buyers) void run(toCopy(buyer), () => new Promise(() => {}))
  const from = process.cpuUsage()
  for (const buyer of buyers) buyer.abort()
  expect(left('k').aborted).toBe(true)
  // Looking at all copies for each of them would take seconds.
  expect(process.cpuUsage(from).user / 1000).toBeLessThan(3000)
})

it('is shared by copies with its token, by those without a token until the payment is public on the chain, and by no other request', async () => {
  const { run, publish } = makeInFlight()
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const bare = { ...payment, key: 'bare', tokenHash: null }
  const ask = (asked: typeof payment | typeof bare, fingerprint = 'f') =>
    run({ payment: asked, fingerprint, gone: new AbortController().signal }, () => promise)
  const [named, unnamed] = [[ask(payment)], [ask(bare), ask(bare)]]
  publish('k')
  publish('bare')
  named.push(ask(payment))
  const outcome: Outcome = { is: 'pending' }
  const others = await Promise.all([ask(bare), ask(payment, 'other'), ask({ ...payment, tokenHash: 'another' })])
  resolve(outcome)
  expect(others).toEqual([{ is: 'in-progress' }, { is: 'in-progress' }, { is: 'in-progress' }])
  for (const shared of await Promise.all([...named, ...unnamed])) expect(shared).toBe(outcome)
})
