import { expect, it } from 'vitest'
import { makeForgiveness } from '../../src/payments/purchase/forgiveness.ts'

const minuteMs = 60_000

function open() {
  const clock = { ms: 1_800_000_000_000 }
  const { forgives } = makeForgiveness(() => clock.ms)
  return {
    clock,
    forgives,
    several: (times: number, wallet = '0xa') => Array.from({ length: times }, () => forgives(wallet)),
  }
}

it('stops work without a charge three times in an hour for each wallet', () => {
  const { clock, several } = open()
  expect(several(4)).toEqual([true, true, true, false])
  expect(several(1, '0xb')).toEqual([true])
  clock.ms += 60 * minuteMs - 1
  expect(several(1)).toEqual([false])
  clock.ms += 1
  expect(several(4)).toEqual([true, true, true, false])
})

it('counts only the disconnections that it forgave', () => {
  const { clock, several } = open()
  several(3)
  clock.ms += 30 * minuteMs
  expect(several(3)).toEqual([false, false, false])
  clock.ms += 30 * minuteMs
  expect(several(1)).toEqual([true])
})

it('remembers 10,000 wallets, and forgets the one that disconnected longest ago', () => {
  const { forgives, several } = open()
  several(3, 'first')
  several(3, 'second')
  for (let wallet = 0; wallet < 9998; wallet++) forgives(`0x${wallet}`)
  expect(forgives('first')).toBe(false)
  forgives('one more')
  expect([forgives('first'), forgives('second')]).toEqual([false, true])
})
