import { createServer } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { purchase } from '../../src/commands/doctor/purchase.ts'
import { readConfig } from '../../src/config/config.ts'
import { toCatalog } from '../../src/discovery/catalog.ts'
import { listen } from '../../src/http/listen.ts'
import { sampleOffers, sampleShop } from '../support/sample-shop.ts'

const node = process.execPath
const catalog = JSON.stringify(toCatalog(sampleOffers, sampleShop))
const shop = createServer((_, res) => res.writeHead(200, { 'content-type': 'application/json' }).end(catalog))
afterEach(() => {
  process.execPath = node
  shop.close()
})

it('fails with a sentence when the system cannot start the buying program', async () => {
  const { port } = await listen(shop, { host: '127.0.0.1', port: 0 })
  const config = readConfig({ BASE_URL: `http://127.0.0.1:${port}` })
  process.execPath = '/nowhere/node'
  const bought = purchase(config, { env: {}, keyFile: undefined, maxUsd: '100', say: () => {} })
  await expect(bought).rejects.toThrow('spawn /nowhere/node ENOENT')
})
