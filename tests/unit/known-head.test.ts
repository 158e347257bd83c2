import { custom } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import { makeKnownHead } from '../../src/payments/chain/known-head.ts'
import type { Expected } from '../../src/payments/chain/witness.ts'

it('knows the newest block for as long as asked, and what time it is on the chain since', () => {
  const clock = { ms: 5000 }
  const heads = makeKnownHead(() => clock.ms)
  expect(heads.find(60_000)).toBeUndefined()
  heads.note({ number: 7, timestamp: 1000 })
  expect(heads.find(0)).toEqual({ number: 7, timestamp: 1000 })
  clock.ms += 3500
  expect([heads.find(3499), heads.find(3500)]).toEqual([undefined, { number: 7, timestamp: 1003 }])
})

describe('an authorization that is about to be settled', () => {
  const chain = { block: 100, timestamp: 1_800_000_000, isUsed: false, asked: [] as string[] }
  beforeEach(() => Object.assign(chain, { block: 100, timestamp: 1_800_000_000, isUsed: false, asked: [] }))

  const toWord = (value: number | boolean): string => `0x${Number(value).toString(16).padStart(64, '0')}`
  const answers: Readonly<Record<string, () => unknown>> = {
    eth_getBlockByNumber: () => ({
      number: `0x${chain.block.toString(16)}`,
      timestamp: `0x${chain.timestamp.toString(16)}`,
      transactions: [],
    }),
    eth_call: () => toWord(chain.isUsed),
    eth_getLogs: () => [],
  }
  const open = () =>
    makeChainOracle('http://chain.test', {
      transport: custom({
        async request({ method }: { method: string }) {
          chain.asked.push(method)
          return answers[method]?.()
        },
      }),
    })
  const expected: Expected = {
    asset: `0x${'01'.repeat(20)}`,
    payer: `0x${'02'.repeat(20)}`,
    payTo: `0x${'03'.repeat(20)}`,
    amount: 1n,
    nonce: `0x${'04'.repeat(32)}`,
    validBefore: 1_800_000_060n,
    fromBlock: null,
    sinceSeconds: 1_799_999_990,
  }
  const recently = { ...expected, maxAgeMs: 30_000 }
  const whole = ['eth_getBlockByNumber', 'eth_call']

  it('takes one question where the newest block was read a moment ago, and two otherwise', async () => {
    const oracle = open()
    expect(await oracle.witness(recently)).toEqual({ is: 'unused', asOf: 100 })
    chain.block = 101
    expect(await oracle.witness(recently)).toEqual({ is: 'unused', asOf: 100 })
    expect(await oracle.witness(expected)).toEqual({ is: 'unused', asOf: 101 })
    expect(chain.asked).toEqual([...whole, 'eth_call', ...whole])
  })

  it('is searched for whenever its nonce is used', async () => {
    const oracle = open()
    await oracle.witness(recently)
    chain.isUsed = true
    expect(await oracle.witness(recently)).toMatchObject({ is: 'unseen', isUsed: true })
    expect(chain.asked.slice(2)).toEqual(['eth_call', ...whole, 'eth_getLogs', 'eth_getLogs'])
  })

  it('is expired by the time of the chain, and by none that is guessed', async () => {
    const oracle = open()
    chain.timestamp = 1_800_000_060
    expect(await oracle.witness(recently)).toEqual({ is: 'expired', asOf: 100 })
    // After a reorganisation, the newest block may be older.
    chain.timestamp = 1_800_000_059
    expect(await oracle.witness(recently)).toEqual({ is: 'unused', asOf: 100 })
    expect(chain.asked).toEqual([...whole, ...whole])
  })
})
