import { expect, it } from 'vitest'
import { makePayerTurns } from '../../src/sandbox/payer-turns.ts'

const hourMs = 60 * 60 * 1000

function makeTurns(balance = 1_000n) {
  const clock = { ms: 0 }
  const turns = makePayerTurns({
    hasCode: async (payer) => payer.startsWith('0xc0'),
    balanceOf: async () => balance,
    waitMs: 0,
    now: () => clock.ms,
    refuse: (reason) => new Error(reason),
  })
  const take = (payer: string, nonce: number, value = 1n) => turns.take({ payer, nonce: `0x${nonce}`, value })
  return { clock, turns, take }
}

it('blocks a payer for an hour after three reverts, in any letter case', async () => {
  const { clock, turns } = makeTurns()
  for (const payer of ['0xAB', '0xab', '0xaB']) {
    expect(await turns.isBarred('0xab')).toBe(false)
    await turns.reverted({ payer })
  }
  expect(await turns.isBarred('0xAB')).toBe(true)
  expect(await turns.isBarred('0xcd')).toBe(false)
  clock.ms += hourMs
  expect(await turns.isBarred('0xab')).toBe(false)
})

it('blocks contract wallets after many reverts of such, but never a plain account for others', async () => {
  const { turns } = makeTurns()
  for (let wallet = 10; wallet < 40; wallet++) await turns.reverted({ payer: `0xc0${wallet}` })
  expect(await turns.isBarred('0xc099')).toBe(true)
  expect(await turns.isBarred('0xab', true)).toBe(true)
  expect(await turns.isBarred('0xab')).toBe(false)
})

it('lets plain accounts have as many payments in flight as they can afford, each authorization once', async () => {
  const { take } = makeTurns(10n)
  const leave = await take('0xab', 1, 6n)
  await expect(take('0xab', 1, 1n)).rejects.toThrow('settlement_pending')
  await expect(take('0xab', 2, 5n)).rejects.toThrow('settlement_pending')
  const leaveToo = await take('0xab', 3, 4n)
  await expect(take('0xab', 4, 1n)).rejects.toThrow('settlement_pending')
  leave()
  leaveToo()
  await take('0xab', 2, 5n)
})

it('lets a contract wallet have one payment in flight', async () => {
  const { take } = makeTurns()
  const leave = await take('0xc01', 1)
  await expect(take('0xc01', 2)).rejects.toThrow('settlement_pending')
  await take('0xc02', 2)
  leave()
  await take('0xc01', 2)
})
