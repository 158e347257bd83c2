import { afterAll, expect, it } from 'vitest'
import { rules } from '../../game-server/core/world.ts'
import { toCommitment, toDice } from '../../game-server/cup/cup-seed.ts'
import { makeCups } from '../../game-server/cup/cups.ts'
import { openCup } from '../../game-server/cup/open-cup.ts'
import { verifyRun } from '../../game-server/cup/verify-run.ts'
import { maxKeys, maxRunMs } from '../../game-server/protocol/run-file.ts'
import { grantEntitlements } from '../../src/payments/ledger/grants.ts'
import { openTestLedger } from '../support/test-databases.ts'

const hourMs = 3_600_000
const db = await openTestLedger()
afterAll(() => db.destroy())

it('gives a run the same end time at every return, and never one after the end of its cup', async () => {
  const opensAt = Date.UTC(2026, 5, 1)
  let at = opensAt
  const cups = makeCups({ db, now: () => at })
  const { id, closesAt } = await openCup(db, { hours: 48, now: at })
  const [early, late] = ['early', 'late'].map((key) => ({ key, name: key, kind: 'agent' as const }))
  if (!early || !late) throw new Error('nobody runs')
  for (const { key } of [early, late]) {
    const entry = { key, entitlements: ['agent_cup_entry'], scope: id, source: 'credits' } as const
    await db.insertInto('player').values({ key, name: key, kind: 'agent', token_hash: key, created_at: at }).execute()
    await db.transaction().execute((tx) => grantEntitlements(tx, entry, at))
  }
  const until = async (who: typeof early) => {
    const entered = await cups.enter(who)
    return entered.is === 'entered' ? entered.limits : entered.is
  }
  expect(await until(early)).toEqual({ keys: maxKeys, at: opensAt + maxRunMs })
  at += hourMs
  expect(await until(early)).toEqual({ keys: maxKeys, at: opensAt + maxRunMs })
  at = closesAt - hourMs
  expect(await until(late)).toEqual({ keys: maxKeys, at: closesAt })
  at = closesAt - 1
  expect(await until(late)).toEqual({ keys: maxKeys, at: closesAt })
  at = closesAt
  expect(await until(late)).toBe('closed')
})

it('accepts a run with the maximum number of keys, and none with more', () => {
  const seed = '0123456789abcdef'.repeat(4)
  const cup = { id: 'cup-1', commitment: toCommitment(seed) }
  const begin = { is: 'join', name: 'Ada', kind: 'agent', dice: toDice(seed, 'ada') } as const
  const judge = (keys: number) => {
    const pressed = Array.from({ length: keys }, () => ({ is: 'key', player: 1, key: 'i' }) as const)
    return verifyRun({ rules, seed, cup, player: 1, name: 'Ada', commands: [begin, ...pressed] })
  }
  expect(judge(maxKeys)).toMatchObject({ is: 'verified' })
  expect(judge(maxKeys + 1)).toMatchObject({ is: 'refused', why: expect.stringContaining(`${maxKeys} keys`) })
})
