import { expect, it } from 'vitest'
import { toLanguages } from '../../src/components/languages.ts'

it('the words of the program are said to be English where the site is not, and those of the publisher to be its own', () => {
  expect(toLanguages('de-AT')).toEqual({ ofProgram: { lang: 'en', 'data-program': '' }, ofSite: { lang: 'de-AT' } })
  expect([toLanguages('en'), toLanguages('en-GB')]).toEqual(Array(2).fill({ ofProgram: {}, ofSite: {} }))
})
