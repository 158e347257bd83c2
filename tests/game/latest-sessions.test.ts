import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeLogKeeper } from '../../game-server/realms/log-keeper.ts'
import type { Session } from '../../game-server/realms/realm.ts'
import { makeRealms } from '../../game-server/realms/realms.ts'
import { makeLatestSessions } from '../../game-server/sessions/latest-sessions.ts'
import { type GameDatabase, openGameDatabase } from '../../game-server/storage/open-game-database.ts'

let at = 0
const now = () => at
let db: GameDatabase
let begin: () => Session
let sessions: ReturnType<typeof makeLatestSessions>
let flush: () => Promise<unknown>
beforeEach(async () => {
  db = await openGameDatabase(':memory:')
  const keeper = makeLogKeeper({ db, log: () => {}, now, pay: async () => {} })
  const realms = makeRealms({ db, keeper, now, log: () => {}, inputLimits: { perSecond: 20, burst: 40 } })
  begin = () => realms.begin({ key: 'ada', name: 'Ada', kind: 'agent' }, { mode: 'open', event: null })
  const leave = (session: Session) => {
    session.isHere = false
  }
  sessions = makeLatestSessions({ realms, leave, now })
  flush = keeper.flush
})
afterEach(async () => {
  await flush()
  await db.destroy()
})

it('forgets a lost session, but not a later one of the same account', () => {
  const [first, second] = [begin(), begin()]
  for (const session of [first, second]) sessions.keep(session)
  sessions.forget(first)
  expect(sessions.get('ada')).toBe(second)
  sessions.forget(second)
  expect(sessions.get('ada')).toBeUndefined()
})

it('takes a player without a socket off the map after more than ten minutes without a key, and not before', () => {
  const session = begin()
  sessions.keep(session)
  at = session.lastAt + 10 * 60_000
  sessions.tidy()
  expect([session.isHere, sessions.get('ada'), sessions.countHere()]).toEqual([true, session, 1])
  at++
  sessions.tidy()
  expect([session.isHere, sessions.get('ada'), sessions.countHere()]).toEqual([false, undefined, 0])
})
