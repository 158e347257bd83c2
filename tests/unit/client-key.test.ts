import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toClientKey } from '../../src/http/client-key.ts'

describe('the key of a client', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
    ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:1:2::192.0.2.1', '2001:db8:1:2'],
    ['64:ff9b::203.0.113.9', '64:ff9b:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['not an address', 'not an address'],
  ])('%s is %s', (address, key) => {
    expect(toClientKey(address)).toBe(key)
  })

  it('is one for all addresses of a /64 network, and another for each network', () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    fc.assert(
      fc.property(
        fc.array(group, { minLength: 4, maxLength: 4 }),
        fc.array(group, { minLength: 4, maxLength: 4 }),
        (network, host) => {
          fc.pre(network.some((number) => number !== 0))
          const key = network.map((number) => number.toString(16)).join(':')
          const address = [...network, ...host].map((number) => number.toString(16)).join(':')
          expect(toClientKey(address)).toBe(key)
          expect(toClientKey(address.toUpperCase())).toBe(key)
        },
      ),
    )
  })
})
