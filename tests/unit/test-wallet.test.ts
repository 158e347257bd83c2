import { recoverTypedDataAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { chainId, transferTypes, usdcAddress, usdcDomain } from '../../src/core/chain-constants.ts'
import { makeRouter } from '../../src/http/make-router.ts'
import { makeTestWalletRoute } from '../../src/sandbox/test-wallet-route.ts'

const baseUrl = 'http://farthing.test'
const { address } = sandboxAccounts.buyer
const message = {
  from: address,
  to: '0x1111111111111111111111111111111111111402',
  value: '100000',
  validAfter: '0',
  validBefore: '2000000000',
  nonce: `0x${'ab'.repeat(32)}`,
} as const
const domain = { ...usdcDomain, chainId, verifyingContract: usdcAddress } as const
const transfer = { primaryType: 'TransferWithAuthorization', domain, message } as const

const route = makeTestWalletRoute(usdcAddress)
const answer = makeRouter({
  routes: [route],
  baseUrl,
  notFound: () => new Response(null, { status: 404 }),
  report: ({ error }) => expect.unreachable(error),
})
const ask = (body: object) =>
  answer(
    new Request(baseUrl + route.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    route.path,
    '',
  )

describe('the test wallet of a sandbox', () => {
  it('signs a transfer of sandbox money, as a wallet would', async () => {
    const signature = await (await ask(transfer)).text()
    const { value, validAfter, validBefore, ...rest } = message
    const signed = { ...rest, value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) }
    expect(signature).toMatch(/^0x[0-9a-f]{130}$/)
    expect(
      await recoverTypedDataAddress({
        ...transfer,
        types: transferTypes,
        message: signed,
        signature: `0x${signature.slice(2)}`,
      }),
    ).toBe(address)
  })

  it.each([
    ['another token', { ...transfer, domain: { ...domain, verifyingContract: address } }],
    ['another chain', { ...transfer, domain: { ...domain, chainId: 1 } }],
    ['something else than a transfer', { ...transfer, primaryType: 'Permit' }],
    ['an amount that is none', { ...transfer, message: { ...message, value: '1e9' } }],
    ['an address that is none', { ...transfer, message: { ...message, to: `0x${'f'.repeat(20)}` } }],
    ['an amount beyond 256 bits', { ...transfer, message: { ...message, value: '9'.repeat(78) } }],
    ['nothing', {}],
  ])('does not sign %s', async (_, asked) => {
    expect((await ask(asked)).status).toBe(400)
  })
})
