import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectBalanced } from '../support/books.ts'
import { startMoney } from '../support/money.ts'
import { insist, signForCatalog, signForSkill } from '../support/patient-buyer.ts'
import { runProgram } from '../support/run-program.ts'
import { startSite } from '../support/running-site.ts'
import { toPlace } from '../support/test-databases.ts'

it('delivers from PostgreSQL what was bought before the books were moved there, and goes on selling', async () => {
  const money = await startMoney()
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-moved-'))
  const start = (env: Record<string, string> = {}) => startSite({ ...money, dataDir, env })
  const earlier = await start({ DATABASE_URL: '' })
  const before = [await signForSkill('feed-doctor'), await signForCatalog()]
  for (const purchase of before) expect(await insist(purchase, earlier.port)).toBe('delivered')

  const env = { PATH: process.env['PATH'] ?? '', ...(await toPlace(dataDir)) }
  const move = () =>
    runProgram(process.execPath, ['src/commands/move.ts', '--to', 'postgres'], { cwd: process.cwd(), env })
  expect(await move()).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^a program uses .*ledger\.db; stop it/),
  })
  await earlier.kill('SIGTERM')
  expect(await move()).toMatchObject({ status: 0, stderr: '' })
  await expect(start({ DATABASE_URL: '' })).rejects.toThrow(/the books were moved to the database \S+ at \S+; set DATA/)

  const site = await start()
  const bought = [...before, await signForCatalog()]
  for (const purchase of bought) expect(await insist(purchase, site.port)).toBe('delivered')
  // Each purchase was delivered in one form only: with the bytes, receipt and transaction from before the move.
  await expectBalanced(dataDir, money, bought)
  await site.kill('SIGTERM')
  await money.stop()
})
