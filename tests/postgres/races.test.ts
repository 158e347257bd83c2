import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCup } from '../../game-server/cup/open-cup.ts'
import { openModeration } from '../../game-server/moderation/moderation.ts'
import { makeUnusedNames } from '../../game-server/sessions/unused-names.ts'
import { makeAccounts } from '../../game-server/store/accounts.ts'
import { makeCredits } from '../../game-server/store/credits.ts'
import { makeJobRuns } from '../../src/jobs/job-runs.ts'
import { makeOauthRecords } from '../../src/oauth/oauth-records.ts'
import { Outrun } from '../../src/payments/ledger/lease.ts'
import { makeLedger } from '../../src/payments/ledger/ledger.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { newReceiptId } from '../../src/payments/ledger/receipts.ts'
import type { LedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { transact } from '../../src/storage/transact.ts'
import { announce } from '../../src/webhooks/announce.ts'
import { makeMessageQueue } from '../../src/webhooks/message-queue.ts'
import { figure } from '../support/figures.ts'
import { numberedSale } from '../support/numbered-sale.ts'
import { makeDatabase, openTestGame, openTestLedger, openTestOauth } from '../support/test-databases.ts'

/** Two programs at one database, each with connections of its own. */
const place = crypto.randomUUID()
let pair: readonly [LedgerDatabase, LedgerDatabase]
beforeAll(async () => {
  await makeDatabase(place)
  pair = [await openTestLedger(place), await openTestLedger(place)]
})
afterAll(async () => {
  for (const db of pair) await db.destroy()
})

const rounds = figure(60, 1000)
const now = Date.now
const turns = (count: number): number[] => Array.from({ length: count }, (_, turn) => turn)
/** Does something many times at once, each program its half. */
const together = <Result>(count: number, work: (db: LedgerDatabase, turn: number) => Promise<Result>) =>
  Promise.all(turns(count).map((turn) => work(pair[turn % 2 === 0 ? 0 : 1], turn)))

const ledgerOf = (db: LedgerDatabase, owner: string) =>
  makeLedger({ db, owner, now, newReceiptId, products: makeProductStore('/nonexistent') })

let sold = 0
/** A payment like no other before it, for a product that fits into its row. */
function nextSale(changes: object = {}) {
  sold += 8
  const { claim, product, transaction } = numberedSale(sold)
  return { claim: { ...claim, ...changes }, product: { mimeType: product.mimeType, body: product.body }, transaction }
}

const newPlayer = async (name: string): Promise<string> => {
  const joined = await makeAccounts({ db: pair[0], now }).join({ name, kind: 'agent' })
  if (joined.is !== 'joined') throw new Error(joined.is)
  return joined.account.key
}

describe('two programs at one PostgreSQL', () => {
  it('claim one authorization once', async () => {
    for (let round = 0; round < rounds; round++) {
      const { claim } = nextSale()
      const leases = await together(4, (db, turn) => ledgerOf(db, `owner ${turn}`).claim(claim))
      expect(leases.filter(Boolean)).toHaveLength(1)
    }
  })

  it('begin to settle one of several payments of a wallet for the same bytes', async () => {
    for (let round = 0; round < rounds; round++) {
      const wishes = turns(3).map(() => nextSale({ fingerprint: `lasting ${round}` }))
      const outcomes = await together(3, async (db, turn) => {
        const ledger = ledgerOf(db, `owner ${turn}`)
        const { claim } = wishes[turn] ?? nextSale()
        const { product } = wishes[0] ?? nextSale()
        const lease = await ledger.claim(claim)
        if (!lease) throw new Error('somebody else has it')
        return ledger.keepForSettlement(lease, product, 1, { isLasting: true }).then(
          () => 'settles',
          (error: unknown) => (error instanceof Outrun ? 'outrun' : Promise.reject(error)),
        )
      })
      expect(outcomes.toSorted()).toEqual(['outrun', 'outrun', 'settles'])
    }
  })

  it('begin to settle one of several that waited unpaid', async () => {
    for (let round = 0; round < rounds; round++) {
      const { product } = nextSale()
      const leases = []
      for (const turn of turns(2)) {
        const { claim } = nextSale({ fingerprint: `waiting ${round}`, caller: `caller ${round}-${turn}` })
        const ledger = ledgerOf(pair[turn === 0 ? 0 : 1], `owner ${turn}`)
        const lease = await ledger.claim(claim)
        if (!lease) throw new Error('somebody else has it')
        leases.push({ ledger, lease, claim })
      }
      // One wallet has one product waiting; two were kept while each was being worked on.
      for (const { lease, claim } of leases)
        await pair[0]
          .updateTable('payment')
          .set({ state: 'ready', body: product.body, body_bytes: 1, digest: 'same' })
          .where('key', '=', claim.key)
          .where('fence', '=', lease.fence)
          .execute()
      const begun = await Promise.all(
        leases.map(({ ledger, lease }) =>
          ledger.beginSettling(lease, { isLasting: true }).then(
            () => 'settles',
            (error: unknown) => (error instanceof Outrun ? 'outrun' : Promise.reject(error)),
          ),
        ),
      )
      expect(begun.toSorted()).toEqual(['outrun', 'settles'])
    }
  })

  it('count every sale, whatever is sold at once', async () => {
    const before = await pair[0].selectFrom('sale_total').selectAll().execute()
    const count = figure(400, 4000)
    await together(count, async (db, turn) => {
      const ledger = ledgerOf(db, `owner ${turn}`)
      const { claim, product, transaction } = nextSale({ offer_id: `offer-${turn % 3}` })
      const lease = await ledger.claim(claim)
      if (!lease) throw new Error('somebody else has it')
      await ledger.keepForSettlement(lease, product, 1)
      await ledger.recordSale(lease, { transaction, logIndex: 1, block: 1 })
    })
    const totals = await pair[1].selectFrom('sale_total').selectAll().execute()
    const ever = totals.filter(({ day }) => day === '')
    const sum = (of: 'count' | 'micros'): number => ever.reduce((all, one) => all + one[of], 0)
    expect([before.length, sum('count'), sum('micros')]).toEqual([0, count, count * 100_000])
  })

  it('hand a purchase that the ledger lost to one proof', async () => {
    for (let round = 0; round < rounds; round++) {
      const { claim, transaction } = nextSale()
      await ledgerOf(pair[0], 'o').recoverSale(claim, { transaction, logIndex: 1, block: 1 })
      const row = await ledgerOf(pair[0], 'o').find(claim.key)
      if (!row) throw new Error('there is no sale')
      const proofs = await together(4, (db) => {
        const { claim: proof } = nextSale({ identifier_hash: null })
        return ledgerOf(db, 'o').keepProof(proof, row)
      })
      expect(proofs.filter(Boolean)).toHaveLength(1)
    }
  })

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

  it('take the credits for a thing once', async () => {
    for (let round = 0; round < rounds; round++) {
      const key = await newPlayer(`Spender-${round}`)
      await pair[0].updateTable('player').set({ credits: 100 }).where('key', '=', key).execute()
      const wanted = { key, sku: 'frame', creditPrice: 40, grants: ['frame_wood'] as const, isCupEntry: false }
      const outcomes = await together(4, (db) => makeCredits({ db, now }).redeem(wanted))
      expect(outcomes.map(({ is }) => is).toSorted()).toEqual([...Array(3).fill('already-owned'), 'redeemed'])
      expect(await makeCredits({ db: pair[1], now }).balance(key)).toBe(60)
    }
  })

  it('give two paid entries of one player two cups', async () => {
    for (let round = 0; round < rounds; round++) {
      const grants = JSON.stringify({
        player: `Runner-${round}`,
        tokenHash: `token ${round}`,
        entitlements: ['agent_cup_entry'],
        isCupEntry: true,
      })
      await together(2, async (db, turn) => {
        const ledger = ledgerOf(db, `owner ${turn}`)
        const { claim, product, transaction } = nextSale()
        const lease = await ledger.claim(claim)
        if (!lease) throw new Error('somebody else has it')
        await ledger.keepForSettlement(lease, { ...product, grants }, 1)
        await ledger.recordSale(lease, { transaction })
      })
      const held = await pair[0]
        .selectFrom('entitlement')
        .select('scope')
        .where('player_key', '=', `runner-${round}`)
        .execute()
      expect(held.map(({ scope }) => scope).toSorted()).toEqual(['cup-1', 'cup-2'])
    }
  })

  it('give one name to one player', async () => {
    const joined = await together(8, (db) => makeAccounts({ db, now }).join({ name: 'Everybody', kind: 'human' }))
    const names = joined.map((each) => (each.is === 'joined' ? each.account.key : each.is))
    expect(new Set(names).size).toBe(8)
  })

  it('never free a name that is being bought for', async () => {
    const game = await openTestGame(place)
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

  it('open one cup', async () => {
    const opened = await Promise.allSettled([
      openCup(pair[0], { hours: 1, now: now() }),
      openCup(pair[1], { hours: 1, now: now() }),
    ])
    expect(opened.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [refused] = opened.filter((each) => each.status === 'rejected')
    expect(String(refused?.reason)).toMatch(/^Error: cup-1 (is open|was opened)/)
  })

  it('come both to their end when they stand in each other’s way', async () => {
    const keys = ['first', 'second']
    const count = (db: LedgerDatabase, offer_id: string) =>
      db
        .updateTable('quote_total')
        .set(({ eb }) => ({ count: eb('count', '+', 1) }))
        .where('offer_id', '=', offer_id)
        .execute()
    for (const offer_id of keys)
      await pair[0].insertInto('quote_total').values({ day: 'd', offer_id, count: 0 }).execute()
    const met = Promise.withResolvers<void>()
    let arrived = 0
    await together(2, (db, turn) =>
      transact(db, async (tx) => {
        const [one = '', other = ''] = turn === 0 ? keys : keys.toReversed()
        await count(tx, one)
        if (++arrived === 2) met.resolve()
        await met.promise
        await count(tx, other)
      }),
    )
    const rows = await pair[1].selectFrom('quote_total').select('count').execute()
    // One of them was undone and began anew.
    expect([rows, arrived]).toEqual([[{ count: 2 }, { count: 2 }], 3])
  })

  it('give each run of a job a fence of its own, and run a due time once', async () => {
    const runsOf = turns(4).map((turn) => makeJobRuns({ db: pair[turn % 2 === 0 ? 0 : 1], owner: `o/${turn}`, now }))
    for (let dueAt = 1; dueAt <= rounds; dueAt++) {
      const due = await Promise.all(runsOf.map((runs) => runs.beginDue({ job: 'race', dueAt })))
      const mine = due.filter((run) => run !== 'done' && 'id' in run)
      expect(mine).toHaveLength(1)
      // They end and begin in whatever order.
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

  it('tell once of a sale that both have seen on the chain', async () => {
    await pair[0]
      .insertInto('webhook_receiver')
      .values({ id: 1, since: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    for (let round = 0; round < rounds; round++) {
      const { claim, product, transaction } = nextSale()
      const ledger = ledgerOf(pair[0], 'o')
      const lease = await ledger.claim(claim)
      if (!lease) throw new Error('somebody else has it')
      await ledger.keepForSettlement(lease, product, 1)
      const { receipt } = await ledger.recordSale(lease, { transaction })
      const open = await Promise.all(pair.map((db) => ledgerOf(db, 'o').openSales(claim.network, 5000)))
      await together(4, async (db, turn) => {
        const sale = open[turn % 2]?.find(({ row }) => row.key === claim.key)
        if (!sale) throw new Error('there is no such sale')
        await ledgerOf(db, 'o').confirmSale(sale, { transaction, logIndex: 1, block: 1 }, 'final')
      })
      const told = pair[0].selectFrom('webhook_message').select('type').where('body', 'like', `%${receipt.id}%`)
      const types = (await told.where('channel', '=', 'webhook').execute()).map(({ type }) => type)
      expect(types.toSorted()).toEqual(['payment.doubted', 'payment.settled'])
    }
  })

  it('send together what one of them has gathered, or nothing of it', async () => {
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
      // More comes in while some of it is taken.
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

  it('remember no more of strangers than there is room for', async () => {
    const [here, there] = [await openTestOauth(place), await openTestOauth(place)]
    const records = (turn: number) => makeOauthRecords({ db: turn % 2 === 0 ? here : there, now })
    const expiresAt = now() + 60_000
    const keep = (turn: number, id: string) =>
      records(turn).keep('Client', id, { payload: '{}', household: 'one', expiresAt })
    await Promise.all(turns(40).map((turn) => keep(turn, `program ${turn}`)))
    const kept = await here.selectFrom('oauth_record').selectAll().execute()
    expect(kept).toHaveLength(20)
    // The same one, made known to both at once.
    await Promise.all(turns(8).map((turn) => keep(turn, 'the same')))
    const once = await Promise.all(turns(8).map((turn) => records(turn).keepOnce('Message', 'shown', expiresAt)))
    expect(once.filter(Boolean)).toHaveLength(1)
    for (const db of [here, there]) await db.destroy()
  })
})
