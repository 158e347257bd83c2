import { expect, it, onTestFinished } from 'vitest'
import { makeLogKeeper } from '../../game-server/realms/log-keeper.ts'
import { makeRealms } from '../../game-server/realms/realms.ts'
import { openTestGame } from '../support/test-databases.ts'

it('commands count as unwritten until they are on disk, also while they are being written', async () => {
  const db = await openTestGame()
  onTestFinished(() => db.destroy())
  const now = () => 0
  const keeper = makeLogKeeper({ db, log: () => {}, now, pay: async () => {} })
  const realms = makeRealms({ db, keeper, now, log: () => {}, inputLimits: { perSecond: 20, burst: 40 } })
  realms.begin({ key: 'ada', name: 'Ada', kind: 'agent' }, { mode: 'open', event: null })
  const commands = keeper.lag()
  expect(commands).toBeGreaterThan(0)
  const writing = keeper.flush()
  await Promise.resolve()
  expect(keeper.lag()).toBe(commands)
  await writing
  expect(keeper.lag()).toBe(0)
  const rows = await db.selectFrom('input_log').select('count').execute()
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(commands)
})
