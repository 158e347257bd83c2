import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { sell } from '../support/backed-up-shop.ts'
import { findFreePorts } from '../support/free-ports.ts'
import { seedSales } from '../support/seed-sales.ts'

it('keeps a ledger that is older than its chain, and begins anew when the chain has lost sales', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-restored-'))
  const PORT = String(await findFreePorts())
  const config = readConfig({ PORT, DATA_DIR: dataDir, FACILITATOR_URL: 'https://facilitator.example' })
  const said: string[] = []
  const startAndStop = async () => await (await startSandbox(config, dataDir, (line) => said.push(line))).stop()
  await seedSales(dataDir, [{ path: '/leaflet', amount: '100000', settledAt: Date.now() - 60_000 }])
  await startAndStop()
  await startAndStop()
  expect(said).toEqual([])

  await sell(dataDir, [1])
  await startAndStop()
  expect(said).toEqual([expect.stringContaining('both were moved aside')])
  rmSync(dataDir, { recursive: true })
})
