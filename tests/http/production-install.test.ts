import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { canReadOnly, readOnly } from '../support/production-files.ts'
import { type ProductionPrograms, startProduction } from '../support/production-programs.ts'
import { runProgram } from '../support/run-program.ts'
import { testBaseUrl } from '../support/running-site.ts'
import { payingFetch } from '../support/stock-client.ts'

/** A wallet that live mode accepts. */
const payTo = '0x5115115115115115115115115115115115115115'
const baseUrl = testBaseUrl.replace('http:', 'https:')
const buyer = sandboxAccounts.buyer.privateKey

const isPossible = canReadOnly()
let shop: ProductionPrograms

beforeAll(async () => {
  if (isPossible) shop = await startProduction({ mode: 'live', payTo, baseUrl, gameUrl: 'https://undercroft.test' })
})
beforeEach(({ skip }) => skip(!isPossible, 'this machine does not let its users make folders read-only for a command'))
afterAll(() => shop?.stop())

const post = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

it.each([
  ['a skill', '/skills/x402-seller/raw', {}],
  ['a picture', '/api/x402/media/image/generate', post({ title: 'The smallest honest shop', style: 'photographic' })],
])('sells %s from read-only files without development parts, settled with its own gas', async (_, path, init) => {
  const answer = await payingFetch(buyer, shop.site.fetch)(testBaseUrl + path, init)
  expect([answer.status, (await answer.arrayBuffer()).byteLength > 1000]).toEqual([200, true])
})

it('sells in the game, whose host asks the site to settle and has no gas key', async () => {
  const before = await shop.money.transfersTo(payTo)
  const pay = payingFetch(buyer, shop.game.fetch, { maxAmountPerPayment: '$5' })
  const answer = await pay(`${testBaseUrl}/api/store/unlock`, post({ sku: 'tip_3', playerName: 'Ada' }))
  expect(answer.status).toBe(200)
  expect((await shop.money.transfersTo(payTo)).length).toBe(before.length + 1)
})

it('backs itself up, and lists the backup', async () => {
  const run = (...args: readonly string[]) => {
    const [command = '', ...rest] = [...readOnly(shop.root), process.execPath, ...args]
    return runProgram(command, rest, { cwd: shop.root, env: { PATH: process.env['PATH'] ?? '', ...shop.env } })
  }
  const made = await run('src/commands/job.ts', 'hourly-backup')
  expect([made.status, made.stderr]).toEqual([0, ''])
  const { stdout } = await run('src/commands/restore.ts')
  expect(stdout.toString()).toMatch(/^hourly\/\S+ .* 3 /m)
})
