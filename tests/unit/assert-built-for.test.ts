import { expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { assertBuiltFor } from '../../src/site/assert-built-for.ts'

const config = readConfig({})
const facts = {
  key: 'k',
  createdAt: '2026-01-01T00:00:00Z',
  baseUrl: config.baseUrl,
  payTo: config.payTo,
  asset: config.asset,
  alsoAccepts: '',
  network: 'eip155:8453',
  mode: config.mode,
}

it('accepts a build that was made for this wallet, network and address', () => {
  expect(() => assertBuiltFor(config, facts)).not.toThrow()
})

it.each([
  ['baseUrl', 'http://elsewhere.example'],
  ['payTo', '0x5555555555555555555555555555555555555555'],
  ['asset', '0x5555555555555555555555555555555555555555'],
  ['alsoAccepts', 'eurc=920000'],
  ['network', 'eip155:84532'],
  ['mode', 'live'],
] as const)('refuses a build with another %s, by its name', (name, value) => {
  expect(() => assertBuiltFor(config, { ...facts, [name]: value })).toThrow(new RegExp(`another ${name};`))
})
