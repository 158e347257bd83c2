import { expect, it } from 'vitest'
import { toProgramName } from '../../src/discovery/tool-server-identity.ts'

it.each([
  ['Farthing', 'farthing'],
  ['The Small Press, Ltd.', 'the-small-press-ltd'],
  ['Café Müller', 'cafe-muller'],
  ['活版印刷', 'press'],
  ['…', 'press'],
])('a site called %j is %j for programs that need letters, digits and hyphens', (name, expected) => {
  expect(toProgramName(name)).toBe(expected)
})
