import fc from 'fast-check'
import { getAddress } from 'viem'
import { expect, it } from 'vitest'
import { findSpelling, walletAddress } from '../../src/config/wallet-address.ts'
import { seed } from '../support/figures.ts'

const digits = fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: 40, maxLength: 40 })
const addresses = digits.map((list) => `0x${list.join('')}` as const)

it('has the checksum spelling of wallets, and is also accepted in lower and upper case', () => {
  fc.assert(
    fc.property(addresses, (small) => {
      const [spelled, large] = [getAddress(small), `0x${small.slice(2).toUpperCase()}`]
      expect(findSpelling(small) ?? small).toBe(spelled)
      // In one of a thousand addresses the checksum makes all letters upper case, and that spelling is kept.
      expect(walletAddress.parse(spelled)).toBe(spelled)
      expect(findSpelling(walletAddress.parse(spelled))).toBeUndefined()
      expect(walletAddress.parse(large)).toBe(large === spelled ? spelled : small)
    }),
    { numRuns: 500, examples: [['0x640879a461eaa5a893322d34e5435f188f269244']], ...seed },
  )
})

it('is refused with one letter in the wrong case', () => {
  fc.assert(
    fc.property(addresses, fc.nat(), (small, nth) => {
      const spelled = getAddress(small)
      const letters = [...spelled.matchAll(/[a-fA-F]/g)].map(({ index }) => index)
      const at = letters[nth % letters.length]
      const letter = at === undefined ? '' : (spelled[at] ?? '')
      const other = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()
      const mistyped = at === undefined ? spelled : spelled.slice(0, at) + other + spelled.slice(at + 1)
      const isMixed = /[a-f]/.test(mistyped.slice(2)) && /[A-F]/.test(mistyped)
      fc.pre(isMixed)
      expect(walletAddress.safeParse(mistyped).error?.issues).toMatchObject([
        { message: expect.stringContaining('has a wrong checksum') },
      ])
    }),
    { numRuns: 500, ...seed },
  )
})
