import { expect, it } from 'vitest'
import { toLanguages } from '../../src/components/languages.ts'

it('texts of the program are marked as English on a site in another language, and those of the publisher as its own language', () => {
  expect(toLanguages('de-AT')).toEqual({ ofProgram: { lang: 'en', 'data-program': '' }, ofSite: { lang: 'de-AT' } })
  expect([toLanguages('en'), toLanguages('en-GB')]).toEqual(Array(2).fill({ ofProgram: {}, ofSite: {} }))
})
