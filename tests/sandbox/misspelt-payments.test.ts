import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { openChainShop } from '../support/chain-shop.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { encodeHeader, signPayment } from '../support/signed-payments.ts'
import { booklet, leaflet, readTerms, type TestShop } from '../support/test-shop.ts'

let money: RunningMoney
let shop: TestShop
beforeAll(async () => {
  money = await startMoney()
  shop = await openChainShop(money)
})
afterAll(() => money.stop())

const sign = async (validBefore?: number) =>
  (await signPayment({ amount: 100_000n, payTo: sandboxPayTo, ...(validBefore && { validBefore }) })).payload
type Payload = Awaited<ReturnType<typeof sign>>
type Signed = Payload['payload']['authorization']

/** The payment with other values in what was signed. */
const reword = ({ payload, ...rest }: Pick<Payload, 'payload'>, words: Partial<Signed>) => ({
  ...rest,
  payload: { ...payload, authorization: { ...payload.authorization, ...words } },
})
/** An address in capitals, for which wallet libraries throw, because it has no valid checksum (EIP-55). */
const shout = (address: string): `0x${string}` => `0x${address.slice(2).toUpperCase()}`

// For a lasting product the signature is checked before the terms; for a hosted API it is not.
describe.each([leaflet, booklet])('in a payment for $id', (offer) => {
  const ask = async (payload: unknown) => {
    const answer = await shop.buyerOf(offer)(encodeHeader(payload))
    return [answer.status, answer.status === 402 ? readTerms(answer).error : await answer.text(), shop.errors.splice(0)]
  }

  it.each(['value', 'validAfter', 'validBefore'] as const)(
    'a %s of more than 256 bits is unreadable, and the largest of 256 bits is checked',
    async (name) => {
      const payload = await sign()
      for (const tooLarge of ['9'.repeat(78), (2n ** 256n).toString()])
        expect(await ask(reword(payload, { [name]: tooLarge }))).toEqual([402, 'invalid_payload', []])
      const largest = await ask(reword(payload, { [name]: (2n ** 256n - 1n).toString() }))
      expect(largest).toEqual([402, expect.not.stringMatching('invalid_payload'), []])
    },
  )

  it('an amount of the terms of more than 256 bits, or one that is not a number, is unreadable', async () => {
    const { accepted, ...rest } = await sign()
    for (const amount of ['9'.repeat(78), 'all', '-1', '1e5', '0x10', ''])
      expect(await ask({ ...rest, accepted: { ...accepted, amount } })).toEqual([402, 'invalid_payload', []])
  })

  it('a signature or nonce of odd length is unreadable, and a wrong signature of even length is invalid', async () => {
    const { payload, ...rest } = await sign()
    const mark = '6492'.repeat(16)
    for (const odd of ['0x', '0x1', payload.signature.slice(0, -1)])
      expect(await ask({ ...rest, payload: { ...payload, signature: odd } })).toEqual([402, 'invalid_payload', []])
    expect(await ask(reword({ ...rest, payload }, { nonce: '0x1' }))).toEqual([402, 'invalid_payload', []])
    for (const even of [
      '0x00',
      `0x${'f'.repeat(130)}`,
      `0x${'0'.repeat(128)}1b`,
      `0x${mark}`,
      `0x${'f'.repeat(192)}${mark}`,
    ])
      expect(await ask({ ...rest, payload: { ...payload, signature: even } })).toEqual([
        402,
        'invalid_exact_evm_signature',
        [],
      ])
  })

  it('addresses may be spelled in any case', async () => {
    const { accepted, ...rest } = await sign()
    const { from, to } = rest.payload.authorization
    const shouted = { ...rest, accepted: { ...accepted, asset: shout(accepted.asset), payTo: shout(accepted.payTo) } }
    expect(await ask(reword(shouted, { from: shout(from), to: shout(to) }))).toEqual([
      200,
      expect.stringContaining('made'),
      [],
    ])
  })

  it('expiry is reported, however the token is spelled', async () => {
    const { accepted, ...rest } = await sign(1)
    const shouted = { ...rest, accepted: { ...accepted, asset: shout(accepted.asset) } }
    expect(await ask(shouted)).toEqual([402, 'invalid_exact_evm_payload_authorization_valid_before', []])
  })
})
