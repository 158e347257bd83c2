import { expect, it } from 'vitest'
import { makeRateLimits } from '../../src/http/rate-limits.ts'

const limits = {
  free: { perSecond: 2, burst: 10 },
  quotes: { perSecond: 1, burst: 5 },
  'failed-payments': { perSecond: 1, burst: 3 },
}
const clock = { ms: 0 }
const open = (options: { exemptsLoopback?: boolean; maxAddresses?: number } = {}) =>
  makeRateLimits({ exemptsLoopback: false, now: () => clock.ms, limits, ...options })

/** How many requests of an address are allowed right now. */
function countAllowed(own: ReturnType<typeof open>, address: string): number {
  for (let count = 0; ; count++) if (own.take(address, 'free')?.waitMs !== 0) return count
}

it('allows the burst, then says how long to wait, then refills over time', () => {
  const own = open()
  expect(countAllowed(own, '203.0.113.9')).toBe(10)
  expect(own.take('203.0.113.9', 'free')?.waitMs).toBe(500)
  clock.ms += 1000
  expect(countAllowed(own, '203.0.113.9')).toBe(2)
  clock.ms += 3_600_000
  expect(countAllowed(own, '203.0.113.9')).toBe(10)
})

it('reports limit, remainder and reset in the header fields of the draft', () => {
  const own = open()
  for (let count = 0; count < 4; count++) own.take('203.0.113.9', 'free')
  expect(own.look('203.0.113.9', 'free')?.headers).toEqual({
    ratelimit: '"free";r=6;t=2',
    'ratelimit-policy': '"free";q=10;w=5',
  })
  expect(own.look('203.0.113.9', 'quotes')?.headers.ratelimit).toBe('"quotes";r=5;t=0')
})

it('treats all spellings of an IPv4 address as one, and an IPv6 /64 network as one household', () => {
  const own = open()
  expect(countAllowed(own, '203.0.113.9')).toBe(10)
  expect(countAllowed(own, '::ffff:203.0.113.9')).toBe(0)
  expect(countAllowed(own, '203.0.113.10')).toBe(10)
  expect(countAllowed(own, '2001:db8:1:2::1')).toBe(10)
  expect(countAllowed(own, '2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(0)
  expect(countAllowed(own, '2001:db8:1:3::1')).toBe(10)
})

it('exempts programs on this machine only when configured', () => {
  for (const address of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) {
    expect(open({ exemptsLoopback: true }).take(address, 'free')).toBeUndefined()
    expect(open().take(address, 'free')?.waitMs).toBe(0)
  }
  expect(open({ exemptsLoopback: true }).take('128.0.0.1', 'free')?.waitMs).toBe(0)
})

it('never subtracts when the clock is set back', () => {
  const own = open()
  for (let count = 0; count < 5; count++) own.take('203.0.113.9', 'free')
  clock.ms -= 60_000
  expect(countAllowed(own, '203.0.113.9')).toBe(5)
})

it('remembers a limited number of addresses, the most recent ones', () => {
  const own = open({ maxAddresses: 100 })
  for (let count = 0; count < 10; count++) own.take('203.0.113.9', 'free')
  for (let host = 0; host < 99; host++) own.take(`198.51.100.${host}`, 'free')
  expect(own.take('203.0.113.9', 'free')?.waitMs).toBe(500)
  for (let host = 0; host < 99; host++) own.take(`192.0.2.${host}`, 'free')
  expect(own.take('203.0.113.9', 'free')?.waitMs).toBe(500)
  for (let host = 0; host < 100; host++) own.take(`198.51.100.${host}`, 'free')
  expect(own.take('203.0.113.9', 'free')?.waitMs).toBe(0)
})
