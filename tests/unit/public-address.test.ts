import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../src/fetching/public-address.ts'
import { figure, limitMs } from '../support/figures.ts'

/** The registries as first and last numbers, compiled by hand and checked without a parser. */
const notPublicIpv4: readonly (readonly [first: number, last: number])[] = [
  [0x00000000, 0x00ffffff],
  [0x0a000000, 0x0affffff],
  [0x64400000, 0x647fffff],
  [0x7f000000, 0x7fffffff],
  [0xa83f8110, 0xa83f8110],
  [0xa9fe0000, 0xa9feffff],
  [0xac100000, 0xac1fffff],
  [0xc0000000, 0xc00000ff],
  [0xc0000200, 0xc00002ff],
  [0xc01fc400, 0xc01fc4ff],
  [0xc034c100, 0xc034c1ff],
  [0xc0586300, 0xc05863ff],
  [0xc0a80000, 0xc0a8ffff],
  [0xc0af3000, 0xc0af30ff],
  [0xc6120000, 0xc613ffff],
  [0xc6336400, 0xc63364ff],
  [0xcb007100, 0xcb0071ff],
  [0xe0000000, 0xffffffff],
]
const publicIpv6 = [0x2000n << 112n, (0x4000n << 112n) - 1n] as const
const notPublicIpv6: readonly (readonly [first: bigint, last: bigint])[] = [
  [0x2001_0000n << 96n, (0x2001_0200n << 96n) - 1n],
  [0x2001_0db8n << 96n, (0x2001_0db9n << 96n) - 1n],
  [0x2002n << 112n, (0x2003n << 112n) - 1n],
  [0x2620_004f_8000n << 80n, (0x2620_004f_8001n << 80n) - 1n],
  [0x3fff_0000n << 96n, (0x3fff_1000n << 96n) - 1n],
]

const isPublicIpv4Number = (number: number) => !notPublicIpv4.some(([from, to]) => number >= from && number <= to)
const isPublicIpv6Number = (number: bigint) =>
  number >= publicIpv6[0] &&
  number <= publicIpv6[1] &&
  !notPublicIpv6.some(([from, to]) => number >= from && number <= to)

const toIpv4 = (number: number) => `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`
const toGroups = (number: bigint) => number.toString(16).padStart(32, '0').match(/.{4}/g) ?? []
const spellings: readonly ((number: bigint) => string)[] = [
  (number) => toGroups(number).join(':'),
  (number) => toGroups(number).join(':').toUpperCase(),
  (number) =>
    toGroups(number)
      .map((group) => group.replace(/^0+(?=.)/, ''))
      .join(':')
      .replace(/(?:^|:)0(?::0)+(?::|$)/, '::'),
  (number) => `${toGroups(number).slice(0, 6).join(':')}:${toIpv4(Number(number & 0xffffffffn))}`,
]

/** Half of them random, half within a few steps of the border of a range. */
function* randomNumbers(count: number): Generator<readonly [ipv4: number, ipv6: bigint]> {
  const edges4 = notPublicIpv4.flat()
  const edges6 = [...publicIpv6, ...notPublicIpv6.flat()]
  const random = (below: number) => Math.floor(Math.random() * below)
  for (let at = 0; at < count; at += 1) {
    const step = random(9) - 4
    const anywhere = (BigInt(random(2 ** 32)) << 96n) | (BigInt(random(2 ** 32)) << 64n) | BigInt(random(2 ** 32))
    // Few random addresses are in 2000::/3, and most others would be refused for that reason alone.
    const global = (anywhere & ~(7n << 125n)) | (1n << 125n)
    const near =
      (edges6[at % edges6.length] ?? 0n) + BigInt(step) + (at % 3 === 0 ? BigInt(random(2 ** 32)) << 16n : 0n)
    yield at % 2 === 0
      ? [random(2 ** 32), at % 4 === 0 ? anywhere : global]
      : [((edges4[at % edges4.length] ?? 0) + step) >>> 0, BigInt.asUintN(128, near)]
  }
}

describe('an address', () => {
  const count = figure(100_000, 2_000_000)
  it(`is judged as by an independent table: ${2 * count} random ones`, { timeout: limitMs(600_000, 600_000) }, () => {
    const differences: string[] = []
    let publicOnes = 0
    let at = 0
    for (const [ipv4, ipv6] of randomNumbers(count)) {
      const spelt = spellings[at % spellings.length]?.(ipv6) ?? ''
      if (isPublicAddress(toIpv4(ipv4)) !== isPublicIpv4Number(ipv4)) differences.push(toIpv4(ipv4))
      if (isPublicAddress(spelt) !== isPublicIpv6Number(ipv6)) differences.push(spelt)
      if (isPublicIpv6Number(ipv6)) publicOnes += 1
      at += 1
    }
    expect(differences).toEqual([])
    expect(publicOnes / count).toBeGreaterThan(0.2)
  })

  it.each([
    ...['', 'example.com', '1.1.1', '1.1.1.1.1', '01.1.1.1', '0x1.1.1.1', '16843009', '1.1.1.1 ', '1.1.1.1:443'],
    ...['[2606:4700:4700::1111]', '2606:4700:4700::1111%eth0', 'fe80::1%eth0', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'],
  ])('is not public if it is not a plain address: %j', (text) => {
    expect(isPublicAddress(text)).toBe(false)
  })
})
