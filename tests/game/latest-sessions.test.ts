import { expect, it } from 'vitest'
import { makeLogKeeper } from '../../game-server/realms/log-keeper.ts'
import { makeRealms } from '../../game-server/realms/realms.ts'
import { makeLatestSessions } from '../../game-server/sessions/latest-sessions.ts'
import { openGameDatabase } from '../../game-server/storage/open-game-database.ts'

it('forgets a lost session, but not a later one of the same account', async () => {
  const db = await openGameDatabase(':memory:')
  const now = () => 0
  const keeper = makeLogKeeper({ db, log: () => {}, now, pay: async () => {} })
  const realms = makeRealms({ db, keeper, now, log: () => {}, inputLimits: { perSecond: 20, burst: 40 } })
  const begin = () => realms.begin({ key: 'ada', name: 'Ada', kind: 'human' }, { mode: 'open', event: null })
  const [first, second] = [begin(), begin()]
  const sessions = makeLatestSessions({ realms, leave: () => {}, now })
  for (const session of [first, second]) sessions.keep(session)
  sessions.forget(first)
  expect(sessions.get('ada')).toBe(second)
  sessions.forget(second)
  expect(sessions.get('ada')).toBeUndefined()
  await keeper.flush()
  await db.destroy()
})
