import { expect, it } from 'vitest'
import site from '../../site.config.ts'
import { findConfigFaults } from '../../src/build/check-site-config.ts'

it('finds no fault in the default settings, nor in additional ones', () => {
  expect(findConfigFaults(site)).toEqual([])
  expect(findConfigFaults({ ...site, ours: 1, picturesPerBuild: Number.POSITIVE_INFINITY })).toEqual([])
  const accent = { light: 'oklch(40% 0.1 50 / 0.9)', dark: 'rebeccapurple' }
  const mixed = { light: 'color-mix(in oklab, #9a4f1c, black 10%)', dark: 'color-mix(in srgb, rgb(226 147 90), #fff)' }
  expect(findConfigFaults({ ...site, accent: mixed })).toEqual([])
  expect(findConfigFaults({ ...site, accent, language: 'pt-BR', hubs: ['https://hub.example/'] })).toEqual([])
  expect(findConfigFaults({ ...site, timeZone: undefined })).toEqual([])
  expect(findConfigFaults({ ...site, timeZone: 'America/New_York' })).toEqual([])
})

it.each([
  [{ webmentions: undefined }, 'site.config.ts: webmentions is missing'],
  [{ podcast: { ...site.podcast, explicit: 'no' } }, 'site.config.ts: podcast.explicit must be true or false'],
  [{ name: ' ' }, /^site\.config\.ts: name must /],
  [{ language: 'english please' }, 'site.config.ts: language must be a language tag like en or pt-BR'],
  [{ timeZone: 'Europe/Wien' }, 'site.config.ts: timeZone must be a time zone like Asia/Tokyo or Europe/Berlin'],
  [{ accent: { light: '#12', dark: 'red;}' } }, /^site\.config\.ts: accent\.light must be a colour of CSS like/],
  [{ accent: { light: '#9a4f1', dark: '#fff' } }, /^site\.config\.ts: accent\.light must be a colour of CSS like/],
  [{ accent: { light: 'red', dark: 'rgb(0 0 0)}a{' } }, /^site\.config\.ts: accent\.dark must be a colour of CSS like/],
  [{ authors: [{ name: 'Ada' }] }, 'site.config.ts: authors.0.about is missing'],
  [{ picturesPerBuild: -1 }, 'site.config.ts: picturesPerBuild must be a number of at least 0'],
])('reports a fault of %j in a sentence with its place', (changed, sentence) => {
  const [said = ''] = findConfigFaults({ ...site, ...changed })
  expect(said).toMatch(sentence)
})

it('reports that there are no settings at all', () => {
  expect(findConfigFaults(undefined)).toEqual(['site.config.ts: its default export is missing'])
})
