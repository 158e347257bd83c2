import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { sell } from '../support/backed-up-shop.ts'
import { findFreePorts } from '../support/free-ports.ts'
import { toPlace } from '../support/test-databases.ts'

it('moves no database aside when its chain has lost what was sold, and says what to do', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-sandbox-'))
  const PORT = String(await findFreePorts())
  const place = await toPlace(dataDir)
  const config = readConfig({ PORT, ...place, FACILITATOR_URL: 'https://facilitator.example' })
  const startAndStop = async () => await (await startSandbox(config, dataDir, () => {})).stop()
  await startAndStop()
  await sell(dataDir, [1])
  await expect(startAndStop()).rejects.toThrow(
    'the sandbox chain has lost sales that the ledger in the database of DATABASE_URL knows; name an empty database, or unset it',
  )
  rmSync(dataDir, { recursive: true })
})
