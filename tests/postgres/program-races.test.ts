import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCup } from '../../game-server/cup/open-cup.ts'
import { openModeration } from '../../game-server/moderation/moderation.ts'
import { makeUnusedNames } from '../../game-server/sessions/unused-names.ts'
import { makeAccounts } from '../../game-server/store/accounts.ts'
import { makeCredits } from '../../game-server/store/credits.ts'
import { makeJobRuns } from '../../src/jobs/job-runs.ts'
import { makeOauthRecords } from '../../src/oauth/oauth-records.ts'
import { announce } from '../../src/webhooks/announce.ts'
import { makeMessageQueue } from '../../src/webhooks/message-queue.ts'
import { openTestGame, openTestOauth } from '../support/test-databases.ts'
import { ledgerOf, nextSale, openTwoPrograms, rounds, type TwoPrograms, turns } from '../support/two-programs.ts'

let programs: TwoPrograms
let pair: TwoPrograms['pair']
let together: TwoPrograms['together']
beforeAll(async () => {
  programs = await openTwoPrograms()
  ;({ pair, together } = programs)
})
afterAll(() => programs.close())

const now = Date.now

const newPlayer = async (name: string): Promise<string> => {
  const joined = await makeAccounts({ db: pair[0], now }).join({ name, kind: 'agent' })
  if (joined.is !== 'joined') throw new Error(joined.is)
  return joined.account.key
}

describe('two programs of one game host at one PostgreSQL', () => {
  it('pay a player no more than the cap of a day', async () => {
    for (let round = 0; round < rounds; round++) {
      const key = await newPlayer(`Earner-${round}`)
      const paid = await together(8, (db, turn) =>
        makeCredits({ db, now }).earn({ key, credits: 15, reason: 'depth', ref: `life ${turn}` }),
      )
      expect(paid.reduce((sum, credits) => sum + credits, 0)).toBe(40)
      expect(await makeCredits({ db: pair[0], now }).balance(key)).toBe(40)
    }
  })

  it('charge the credits for an item once', async () => {
    for (let round = 0; round < rounds; round++) {
      const key = await newPlayer(`Spender-${round}`)
      await pair[0].updateTable('player').set({ credits: 100 }).where('key', '=', key).execute()
      const wanted = { key, sku: 'frame', creditPrice: 40, grants: ['frame_wood'] as const, isCupEntry: false }
      const outcomes = await together(4, (db) => makeCredits({ db, now }).redeem(wanted))
      expect(outcomes.map(({ is }) => is).toSorted()).toEqual([...Array(3).fill('already-owned'), 'redeemed'])
      expect(await makeCredits({ db: pair[1], now }).balance(key)).toBe(60)
    }
  })

  it('give one name to one player', async () => {
    const joined = await together(8, (db) => makeAccounts({ db, now }).join({ name: 'Everybody', kind: 'human' }))
    const names = joined.map((each) => (each.is === 'joined' ? each.account.key : each.is))
    expect(new Set(names).size).toBe(8)
  })

  it('never free a name for which a purchase is in progress', async () => {
    const game = await openTestGame(programs.place)
    const moderation = await openModeration(game, now)
    const old = Date.UTC(2020, 0, 1)
    for (let round = 0; round < rounds; round++) {
      const player = `Sleeper-${round}`
      await makeAccounts({ db: pair[0], now: () => old }).join({ name: player, kind: 'human' })
      const ledger = ledgerOf(pair[0], 'o')
      const { claim, product, transaction } = nextSale()
      const lease = await ledger.claim(claim)
      if (!lease) throw new Error('somebody else has it')
      const facts = { player, tokenHash: `sleeper ${round}`, entitlements: ['badge_tip'], isCupEntry: false }
      await ledger.keepForSettlement(lease, { ...product, grants: JSON.stringify(facts) }, 1)
      const names = makeUnusedNames({ db: game, ledger: pair[1], moderation, now })
      await Promise.all([ledger.recordSale(lease, { transaction }), names.free(player.toLowerCase())])
      const holder = pair[0].selectFrom('entitlement').innerJoin('player', 'player.key', 'entitlement.player_key')
      const held = await holder.select('entitlement').where('player.key', '=', player.toLowerCase()).execute()
      expect(held).toEqual([{ entitlement: 'badge_tip' }])
    }
    await game.destroy()
  })

  it('open only one cup', async () => {
    const opened = await Promise.allSettled([
      openCup(pair[0], { hours: 1, now: now() }),
      openCup(pair[1], { hours: 1, now: now() }),
    ])
    expect(opened.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [refused] = opened.filter((each) => each.status === 'rejected')
    expect(String(refused?.reason)).toMatch(/^Error: cup-1 (is open|was opened)/)
  })

  it('give each run of a job a fence of its own, and run a due time once', async () => {
    const runsOf = turns(4).map((turn) => makeJobRuns({ db: pair[turn % 2 === 0 ? 0 : 1], owner: `o/${turn}`, now }))
    for (let dueAt = 1; dueAt <= rounds; dueAt++) {
      const due = await Promise.all(runsOf.map((runs) => runs.beginDue({ job: 'race', dueAt })))
      const mine = due.filter((run) => run !== 'done' && 'id' in run)
      expect(mine).toHaveLength(1)
      // The runs end and begin in any order.
      await Promise.all(
        runsOf.map(async (runs, turn) => {
          const run = due[turn]
          if (run !== undefined && run !== 'done' && 'id' in run)
            await runs.end(run, { state: 'succeeded', result: '{}' })
          const again = await runs.begin({ job: 'race', dueAt })
          if ('id' in again) await runs.end(again, { state: 'succeeded', result: '{}' })
        }),
      )
    }
    const rows = await pair[0].selectFrom('job_run').select('fence').where('job', '=', 'race').execute()
    expect(new Set(rows.map(({ fence }) => fence)).size).toBe(rows.length)
  })

  it('send each message once', async () => {
    await pair[0].insertInto('webhook_receiver').values({ id: 1, since: 1 }).execute()
    for (const number of turns(rounds)) await announce(pair[0], { type: 'job.failed', at: now(), data: { number } })
    const sent: string[] = []
    await Promise.all(
      turns(4).map(async (turn) => {
        const queue = makeMessageQueue({ db: pair[turn % 2 === 0 ? 0 : 1], channel: 'webhook' })
        for (let empty = 0; empty < 5; ) {
          const message = await queue.take(now())
          if (message) sent.push(message.id)
          else empty++
          if (message) await queue.delivered(message)
        }
      }),
    )
    expect([new Set(sent).size, sent.length]).toEqual([rounds, rounds])
  })

  it('send each gathered message once, with all others that were gathered', async () => {
    const gathers = { type: 'payment.settled', everyMs: 0 } as const
    const [events, at] = [JSON.stringify(['payment.settled']), now()]
    await pair[0].insertInto('email_receiver').values({ id: 1, since: 1, events }).execute()
    for (let round = 0; round < rounds; round++) {
      const said: string[] = []
      const queues = turns(4).map((turn) =>
        makeMessageQueue({ db: pair[turn % 2 === 0 ? 0 : 1], channel: 'email', gathers }),
      )
      const announceOne = (number: number) =>
        announce(pair[number % 2 === 0 ? 0 : 1], { type: 'payment.settled', at: at - 1, data: { round, number } })
      // More messages are announced while others are being taken.
      await Promise.all([
        ...turns(6).map(announceOne),
        ...queues.map(async (queue) => {
          for (let empty = 0; empty < 8; ) {
            const message = await queue.take(at)
            if (!message) empty++
            else {
              said.push(...[message, ...message.others].map(({ id }) => id))
              await queue.delivered(message)
            }
          }
        }),
      ])
      const left = await makeMessageQueue({ db: pair[0], channel: 'email', gathers }).take(at)
      if (left) said.push(...[left, ...left.others].map(({ id }) => id))
      if (left) await makeMessageQueue({ db: pair[0], channel: 'email', gathers }).delivered(left)
      expect([new Set(said).size, said.length]).toEqual([6, 6])
    }
    const rows = await pair[0].selectFrom('webhook_message').selectAll().where('channel', '=', 'email').execute()
    expect(rows.filter(({ state, attempts }) => state !== 'delivered' || attempts !== 1)).toEqual([])
  })

  it('keep no more records of strangers than the limit', async () => {
    const [here, there] = [await openTestOauth(programs.place), await openTestOauth(programs.place)]
    const records = (turn: number) => makeOauthRecords({ db: turn % 2 === 0 ? here : there, now })
    const expiresAt = now() + 60_000
    const keep = (turn: number, id: string) =>
      records(turn).keep('Client', id, { payload: '{}', household: 'one', expiresAt })
    await Promise.all(turns(40).map((turn) => keep(turn, `program ${turn}`)))
    const kept = await here.selectFrom('oauth_record').selectAll().execute()
    expect(kept).toHaveLength(20)
    // The same record, written by both at the same time.
    await Promise.all(turns(8).map((turn) => keep(turn, 'the same')))
    const once = await Promise.all(turns(8).map((turn) => records(turn).keepOnce('Message', 'shown', expiresAt)))
    expect(once.filter(Boolean)).toHaveLength(1)
    for (const db of [here, there]) await db.destroy()
  })
})
