import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { figure, limitMs } from '../support/figures.ts'
import { openTestLedger } from '../support/test-databases.ts'

const program = fileURLToPath(new URL('job-racer.ts', import.meta.url))
const races = figure(200, 1000)
const minute = 60_000

it(`only one of two processes that see the same job become due runs it (${races} races)`, {
  timeout: limitMs(600_000, 600_000),
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-races-'))
  const racers = [fork(program, [folder]), fork(program, [folder])]
  const answer = async (racer: ChildProcess): Promise<unknown> => (await once(racer, 'message'))[0]
  expect(await Promise.all(racers.map(answer))).toEqual(['ready', 'ready'])
  for (let race = 1; race <= races; race++) {
    const answers = racers.map(answer)
    for (const racer of racers) racer.send(Date.UTC(2026, 10, 22) + race * minute)
    const runs = (await Promise.all(answers)).map(Number)
    expect([race, runs.toSorted()]).toEqual([race, [0, 1]])
  }
  const db = await openTestLedger(folder)
  const rows = await db.selectFrom('job_run').select('state').execute()
  expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: races }, () => 'succeeded'))
  await db.destroy()
  for (const racer of racers) racer.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})
