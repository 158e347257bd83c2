import { expect, it } from 'vitest'
import { isElsewhere } from '../../src/core/is-elsewhere.ts'

it.each([
  ['https://other.test/a.png', true],
  ['//other.test/a.png', true],
  ['http://own.test/a.png', true],
  ['https://own.test.other.test/a.png', true],
  ['https://own.test/a.png', false],
  ['HTTPS://OWN.test/a.png', false],
  ['//own.test/a.png', false],
  ['/a.png', false],
  ['./a.png', false],
  ['data:image/png;base64,AA', false],
  ['https://', false],
])('%s is elsewhere for a site at https://own.test: %s', (address, is) => {
  expect(isElsewhere(address, 'https://own.test')).toBe(is)
})
