import fc from 'fast-check'
import { expect, it } from 'vitest'
import { grouped } from '../../game-server/core/grouped.ts'

it('groups the digits of whole numbers as English does', () => {
  expect([0, 999, 1000, 1_234_567].map(grouped)).toEqual(['0', '999', '1,000', '1,234,567'])
  fc.assert(
    fc.property(fc.maxSafeInteger(), (number) => {
      expect(grouped(number)).toBe(number.toLocaleString('en'))
    }),
  )
})
