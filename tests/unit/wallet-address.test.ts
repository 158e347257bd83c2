import fc from 'fast-check'
import { getAddress } from 'viem'
import { expect, it } from 'vitest'
import { findSpelling, walletAddress } from '../../src/config/wallet-address.ts'
import { seed } from '../support/figures.ts'

const digits = fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: 40, maxLength: 40 })
const addresses = digits.map((list) => `0x${list.join('')}` as const)

it('spells an address as wallets do, and takes it so, in small and in large letters', () => {
  fc.assert(
    fc.property(addresses, (small) => {
      const [spelled, large] = [getAddress(small), `0x${small.slice(2).toUpperCase()}`]
      expect(findSpelling(small) ?? small).toBe(spelled)
      // Of one in a thousand all letters are large as they should be: nobody is asked to write it as it is written.
      expect(walletAddress.parse(spelled)).toBe(spelled)
      expect(findSpelling(walletAddress.parse(spelled))).toBeUndefined()
      expect(walletAddress.parse(large)).toBe(large === spelled ? spelled : small)
    }),
    { numRuns: 500, examples: [['0x640879a461eaa5a893322d34e5435f188f269244']], ...seed },
  )
})

it('refuses an address of which one letter has the other size', () => {
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
