import { expect, it } from 'vitest'
import { makeAddressLimits } from '../../game-server/sockets/address-limits.ts'

const address = '203.0.113.7'

it('lets an address join ten times a minute, and says how long to wait for the next time', () => {
  let at = 0
  const limits = makeAddressLimits({ exemptsLoopback: false, now: () => at })
  expect(Array.from({ length: 11 }, () => limits.join(address))).toEqual([...Array(10).fill(0), 6000])
  at += 6000
  expect([limits.join(address), limits.join(address)]).toEqual([0, 6000])
})

it('lets an address have five sockets, and open ten at once and thirty more each minute', () => {
  let at = 0
  const limits = makeAddressLimits({ exemptsLoopback: false, now: () => at })
  expect(Array.from({ length: 6 }, () => limits.open(address))).toEqual([true, true, true, true, true, false])
  const reopen = () => {
    limits.release(address)
    return limits.open(address)
  }
  expect(Array.from({ length: 5 }, reopen)).toEqual([true, true, true, true, true])
  expect(reopen()).toBe(false)
  for (let opened = 0; opened < 30; opened++) {
    at += 2000
    expect([limits.open(address), reopen()]).toEqual([true, false])
  }
})
