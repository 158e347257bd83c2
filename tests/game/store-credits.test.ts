import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { makeCredits } from '../../game-server/store/credits.ts'
import { storeProducts } from '../../game-server/store/products.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { openTestLedger } from '../support/test-databases.ts'
import { openTestStore } from '../support/test-store.ts'

const commands = figure(4000, 100_000)
const clock = { ms: Date.UTC(2026, 5, 1, 12) }
const store = await openTestStore({ money: pretendChain(clock), now: () => clock.ms })
const { credits, accounts, post } = store
afterAll(async () => {
  await store.close()
  await store.db.destroy()
})

async function newPlayer(name: string) {
  const joined = await accounts.join({ name, kind: 'agent' })
  if (joined.is !== 'joined') throw new Error(joined.is)
  return { key: joined.account.key, playerName: name, resumeToken: joined.token }
}
/** Gives credits over as many days as the daily limit requires. */
async function enrich(key: string, wanted: number) {
  for (let left = wanted, day = 1; left > 0; left -= 40, day++) {
    clock.ms += 24 * 60 * 60 * 1000
    await credits.earn({ key, credits: Math.min(40, left), reason: 'depth', ref: `${key} ${day}` })
  }
}
const redeem = (body: object) => post('/api/credits/redeem', body)

describe('credits', () => {
  it('are earned once for one achievement, and 40 a day at most', async () => {
    const { key } = await newPlayer('Earner')
    const deed = { key, reason: 'depth', credits: 25 }
    expect(await credits.earn({ ...deed, ref: 'life 1 depth 2' })).toBe(25)
    expect(await credits.earn({ ...deed, ref: 'life 1 depth 2' })).toBe(0)
    expect(await credits.earn({ ...deed, ref: 'life 1 depth 3' })).toBe(15)
    expect(await credits.earn({ ...deed, ref: 'life 1 depth 4' })).toBe(0)
    clock.ms += 24 * 60 * 60 * 1000
    expect(await credits.earn({ ...deed, ref: 'life 1 depth 4' })).toBe(0)
    expect(await credits.earn({ ...deed, ref: 'life 1 depth 5' })).toBe(25)
    expect(await credits.balance(key)).toBe(65)
  })

  it('are counted from midnight UTC, and spending makes no room for more', async () => {
    const { key, ...player } = await newPlayer('Spender')
    await enrich(key, 60)
    clock.ms = Math.ceil(clock.ms / 86_400_000) * 86_400_000
    const deed = { key, reason: 'depth', credits: 40 }
    expect(await credits.earn({ ...deed, ref: 'life 1 depth 2' })).toBe(40)
    expect((await redeem({ ...player, sku: 'death_frames_pro' })).status).toBe(200)
    expect(await credits.earn({ ...deed, ref: 'life 1 depth 3' })).toBe(0)
    expect(await credits.balance(key)).toBe(0)
  })

  it('buy what has a price in credits, once', async () => {
    const { key, ...player } = await newPlayer('Saver')
    await enrich(key, 120)
    const first = await redeem({ ...player, sku: 'death_frames_pro', unknown: 'ignored' })
    expect(first.status).toBe(200)
    expect(await first.json()).toEqual({
      ok: true,
      status: 'redeemed',
      sku: 'death_frames_pro',
      player: 'Saver',
      charged: 100,
      credits: 20,
      entitlements: ['death_frames_pro', 'frame_neon', 'frame_void'],
    })
    const again = await redeem({ ...player, playerName: 'SAVER', sku: 'death_frames_pro' })
    expect(await again.json()).toMatchObject({ status: 'already_owned', charged: 0, credits: 20 })
  })

  it('buy one entry per cup: for the open one, else for the next', async () => {
    const { key, ...player } = await newPlayer('Racer')
    await enrich(key, 120)
    const entry = { ...player, sku: 'agent_cup_entry' }
    expect(await (await redeem(entry)).json()).toMatchObject({ status: 'redeemed', charged: 50, credits: 70 })
    expect(await (await redeem(entry)).json()).toMatchObject({ status: 'already_owned', charged: 0 })
    const cup = { commitment: 'c', seed: 's', rules: 1, opened_at: 1, closes_at: 8.64e15 }
    await store.db
      .insertInto('cup')
      .values({ ...cup, number: 1, state: 'closed', closed_at: 2 })
      .execute()
    await store.db
      .insertInto('cup')
      .values({ ...cup, number: 2, state: 'open', closed_at: null })
      .execute()
    expect(await (await redeem(entry)).json()).toMatchObject({ status: 'redeemed', credits: 20 })
    expect((await store.entitlements.of(key)).cups).toEqual(['cup-1', 'cup-2'])
  })

  it('are refused with their own problem types, and nothing is taken', async () => {
    const { key, ...player } = await newPlayer('Pauper')
    const other = await newPlayer('Other')
    const rows: [object, number, string][] = [
      [{ ...player, sku: 'death_frames_pro' }, 409, 'insufficient-credits'],
      [{ ...player, sku: 'death_frames_pro', resumeToken: 'rt_wrong' }, 401, 'wrong-token'],
      [{ ...player, sku: 'death_frames_pro', resumeToken: other.resumeToken }, 401, 'wrong-token'],
      [{ ...player, sku: 'death_frames_pro', playerName: 'Nobody' }, 401, 'wrong-token'],
      [{ ...player, sku: 'tip_3' }, 400, 'not-redeemable'],
      [{ ...player, sku: 'tip_4' }, 404, 'unknown-sku'],
      [{ sku: 'death_frames_pro' }, 400, 'invalid-input'],
      [{ ...player, sku: 'death_frames_pro', padding: 'x'.repeat(70_000) }, 413, 'body-too-large'],
    ]
    for (const [body, status, kind] of rows) {
      const response = await redeem(body)
      expect([response.status, await response.json()]).toMatchObject([status, { type: expect.stringContaining(kind) }])
    }
    expect(await credits.balance(key)).toBe(0)
  })

  it(`never go below zero or out of step with their entries, in any order (${commands} commands)`, {
    timeout: limitMs(600_000, 1_800_000),
  }, async () => {
    const db = await openTestLedger()
    const desk = makeCredits({ db, now: () => clock.ms })
    const wares = storeProducts.filter(({ creditPrice }) => creditPrice !== null)
    const perRun = 150
    const atOnce = 15
    let run = 0
    let redeemed = 0
    const command = fc.record({
      player: fc.integer({ min: 0, max: 2 }),
      deed: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
      credits: fc.integer({ min: 1, max: 60 }),
      ware: fc.integer({ min: 0, max: 1 }),
      days: fc.integer({ min: 0, max: 1 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: perRun, maxLength: perRun }), async (script) => {
        run++
        const model = [0, 1, 2].map((player) => ({ key: `p${run}-${player}`, earned: 0, owned: new Set<string>() }))
        for (const { key } of model)
          await db.insertInto('player').values({ key, name: key, kind: 'agent', created_at: 0 }).execute()
        const obey = async ({ player, deed, credits: wanted, ware, days }: (typeof script)[number]) => {
          const who = model[player]
          const product = wares[ware]
          if (!who || !product) return
          clock.ms += days * 12 * 60 * 60 * 1000
          if (deed !== undefined) {
            const paid = await desk.earn({ key: who.key, credits: wanted, reason: 'depth', ref: `${deed}` })
            who.earned += paid
            return
          }
          const { sku, creditPrice, grants } = product
          const outcome = await desk.redeem({
            key: who.key,
            sku,
            creditPrice: creditPrice ?? 0,
            grants,
            isCupEntry: false,
          })
          if (outcome.is !== 'redeemed') return
          expect(who.owned.has(sku)).toBe(false)
          redeemed++
          who.owned.add(sku)
          who.earned -= creditPrice ?? 0
        }
        // In parallel, as requests arrive: the outcomes say in which order they happened. Days pass in between, because
        // what can be earned on one day is less than any price.
        for (let from = 0; from < perRun; from += atOnce) await Promise.all(script.slice(from, from + atOnce).map(obey))
        for (const { key, earned } of model) {
          const balance = await desk.balance(key)
          expect(balance).toBe(earned)
          expect(balance).toBeGreaterThanOrEqual(0)
          const entries = await db.selectFrom('credit_entry').select('amount').where('player_key', '=', key).execute()
          expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(balance)
        }
      }),
      { numRuns: Math.ceil(commands / perRun), ...seed },
    )
    expect(redeemed).toBeGreaterThan(run)
    await db.destroy()
  })
})
