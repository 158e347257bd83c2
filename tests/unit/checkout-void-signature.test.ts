import { afterEach, expect, it, vi } from 'vitest'
import { readAuthorization, readKept } from '../../src/checkout/kept-purchases.ts'
import { openCheckoutPage, toDemand } from '../support/checkout-page.ts'

afterEach(() => vi.unstubAllGlobals())

const good = `0x${'11'.repeat(65)}`

/** A page whose wallet returns these in turn, at a shop that refuses bad signatures with this error code. */
function open(replies: unknown[], code: string) {
  return openCheckoutPage({
    shop(header) {
      if (header === undefined) return toDemand('payment_required')
      return JSON.parse(atob(header)).payload.signature === good ? new Response('bought') : toDemand(code)
    },
    wallet: { eth_signTypedData_v4: () => replies.shift() },
  })
}

it.each([
  ['of another account', `0x${'22'.repeat(65)}`, 'invalid_exact_evm_signature'],
  ['of another account, as other facilitators say', `0x${'22'.repeat(65)}`, 'invalid_exact_evm_payload_signature'],
  ['that is none', 'signed', 'invalid_payload'],
])('asks the wallet again for the same payment when it returned a signature %s', async (_, bad, code) => {
  const { sent, said, press } = open([bad, good], code)
  await press()
  expect(said.at(-1)).toMatch(/What you signed is void: press again\.$/)
  await press()
  expect(said.at(-1)).toBe('handed')
  expect(new Set(sent.map((header) => readAuthorization({ header }).nonce)).size).toBe(1)
  expect(readKept()).toEqual([])
})

it.each([[null], [undefined], ['']])(
  'sends nothing when a wallet returns %j as its signature, and asks it again at the next press',
  async (nothing) => {
    const { sent, said, press } = open([nothing, good], 'invalid_payload')
    await press()
    expect([sent, readKept(), said.at(-1)]).toEqual([[], [], 'You said no in the wallet. Nothing was charged.'])
    await press()
    expect(said.at(-1)).toBe('handed')
  },
)
