import { expect, it } from 'vitest'
import { toGreeting } from '../../src/commands/greeting.ts'
import { readConfig } from '../../src/config/config.ts'
import { toShop } from '../../src/config/shop.ts'
import { toLogText } from '../../src/core/log.ts'
import { redactUrl, redactUrls, toPublicUrl } from '../../src/core/redact-url.ts'

const key = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'
const hex = '0f3b9c1d5e7a8b2c4d6e8f0a1b3c5d7e'

it.each([
  ['https://mainnet.base.org', 'https://mainnet.base.org'],
  ['http://127.0.0.1:8545/', 'http://127.0.0.1:8545'],
  [`https://base-mainnet.g.alchemy.com/v2/${key}`, 'https://base-mainnet.g.alchemy.com/v2/…'],
  [`https://base-mainnet.infura.io/v3/${hex}`, 'https://base-mainnet.infura.io/v3/…'],
  [`https://quiet-fox.base-mainnet.quiknode.pro/${hex}/`, 'https://quiet-fox.base-mainnet.quiknode.pro/…/'],
  [`https://lb.drpc.org/ogrpc?network=base&dkey=${key}`, 'https://lb.drpc.org/ogrpc?…'],
  [`https://${hex}.base.rpc.example/`, 'https://….base.rpc.example'],
  [`https://reader:${key}@node.example:8443/rpc#${key}`, 'https://…@node.example:8443/rpc?…'],
  ['https://node.example/2f1c6b54-7a4e-4c7c-9d52-0a8a1f6c1e11/base', 'https://node.example/…/base'],
  ['https://api.cdp.coinbase.com/platform/v2/x402', 'https://api.cdp.coinbase.com/platform/v2/x402'],
  [`not an address ${key}`, '…'],
])('prints %s as %s', (address, printed) => {
  expect(redactUrl(address)).toBe(printed)
})

it('removes keys in URLs from error messages of libraries', () => {
  const cause = new Error(
    `URL: https://node.example/v2/${key}?apikey=${hex}\nRequest body: {"url":"wss://u:${key}@a.example"}`,
  )
  const said = toLogText(new Error(`HTTP request failed (see https://node.example/${hex}).`, { cause }))
  expect(said).not.toMatch(new RegExp(`${key}|${hex}`))
  expect(said).toContain('Error: HTTP request failed (see https://node.example/…).')
  expect(said).toContain('https://node.example/v2/…?… Request body')
  expect(said).toContain('"wss://…@a.example"')
})

it('starts without printing the keys of the chain or the facilitator', () => {
  const config = readConfig({
    FARTHING_MODE: 'live',
    BASE_URL: 'https://shop.example',
    GAME_URL: 'https://play.shop.example',
    PAY_TO_ADDRESS: `0x${'ab'.repeat(20)}`,
    FACILITATOR_URL: `https://facilitator.example/${hex}/x402`,
    RPC_URL: `https://base.example/v2/${key}`,
  })
  const lines = toGreeting(config, ['x402-seller'])
  expect(lines.join('\n')).not.toMatch(new RegExp(`${key}|${hex}`))
  expect(lines).toEqual(expect.arrayContaining(['  chain        https://base.example/v2/…']))
  expect(lines).toEqual(expect.arrayContaining(['  facilitator  https://facilitator.example/…/x402']))
})

it('suggests a purchase to try only where the sandbox wallet pays, which is on this machine only', () => {
  const greet = (BASE_URL: string) => toGreeting(readConfig({ BASE_URL }), ['x402-seller']).join('\n')
  expect(greet('http://localhost:4321')).toContain('npm run buy -- http://localhost:4321/skills/x402-seller/raw')
  expect(greet('https://shop.example')).not.toContain('npm run buy')
})

it('publishes the address of the facilitator without its key', () => {
  expect(toPublicUrl('https://facilitator.example/platform/v2/x402')).toBe(
    'https://facilitator.example/platform/v2/x402',
  )
  for (const address of [`https://facilitator.example/${hex}/x402`, `https://facilitator.example/x402?key=${key}`])
    expect(toShop(readConfig({ FACILITATOR_URL: address })).facilitatorUrl).toBe('https://facilitator.example')
})

it('handles an address of only punctuation in linear time', () => {
  const from = process.cpuUsage()
  expect(redactUrls(`see https://a.example/b${'!'.repeat(30_000)}c, or https://a.example/b...`)).toMatch(
    /^see https:\/\/a\.example\/…, or https:\/\/a\.example\/b\.\.\.$/,
  )
  expect(process.cpuUsage(from).user / 1000).toBeLessThan(300)
})
