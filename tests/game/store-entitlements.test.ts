import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { assertHarmless, storeProducts } from '../../game-server/store/products.ts'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { readSecret } from '../../src/storage/read-secret.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'
import { openTestShop } from '../support/test-shop.ts'
import { openTestStore } from '../support/test-store.ts'

const clock = { ms: Date.now() }
const chain = pretendChain(clock)
const store = await openTestStore({ money: chain, now: () => clock.ms })
afterAll(async () => {
  await store.close()
  await store.db.destroy()
})

const show = async (query: string, token?: string) => {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await store.ask(`/api/store/entitlements${query}`, { headers })
  return { status: response.status, body: await response.json() }
}
async function buy(sku: string, playerName: string, amount: bigint) {
  const validBefore = Math.floor(clock.ms / 1000) + 300
  const { header } = await signPayment({ amount, payTo: sandboxPayTo, token: `token ${playerName}`, validBefore })
  const response = await store.post('/api/store/unlock', { sku, playerName }, { 'payment-signature': header })
  return { header, response }
}
const tokenOf = async ({ response }: { response: Response }): Promise<string> =>
  z.object({ resumeToken: z.string() }).parse(await response.json()).resumeToken
async function joined(name: string, token?: string) {
  const answer = await store.accounts.join({ name, kind: 'human', ...(token !== undefined && { token }) })
  if (answer.is !== 'joined') throw new Error(answer.is)
  return answer
}

describe('entitlements', () => {
  it('are shown to anybody who names a player, and are empty for an unknown name', async () => {
    expect(await show('?player=Nobody')).toEqual({
      status: 200,
      body: {
        player: 'Nobody',
        exists: false,
        entitlements: [],
        details: [],
        frames: ['plain'],
        badges: [],
        cups: [],
      },
    })
    expect((await buy('tip_10', 'Ada', 10_000_000n)).response.status).toBe(200)
    expect((await show('?player=ADA')).body).toMatchObject({
      player: 'Ada',
      exists: true,
      entitlements: ['badge_tip', 'frame_gold', 'supporter'],
      frames: ['plain', 'frame_gold'],
      badges: ['badge_tip'],
      details: [{ id: 'badge_tip', source: 'purchase', scope: '' }, {}, {}],
    })
  })

  it('are shown with balance and frame to the player alone', async () => {
    const own = await joined('Own')
    const other = await joined('Another')
    expect((await show('?player=Own', own.token)).body).toMatchObject({ credits: 0, activeFrame: 'plain' })
    expect((await show('?player=Own', other.token)).body).not.toHaveProperty('credits')
    expect((await show('?player=Own', 'rt_wrong')).status).toBe(401)
  })

  it.each(['', '?player=', '?player=a%20b', '?player=a&player=b'])('need one well-formed name: %s', async (query) => {
    expect(await show(query)).toMatchObject({ status: 400, body: { errors: [{ parameter: 'player' }] } })
  })

  it('are granted by whichever process finishes the payment', async () => {
    chain.faults.settle.push('lost-answer')
    chain.faults.oracle.push(...Array<'stale'>(100).fill('stale'))
    const pending = await buy('agent_cup_entry', 'Orphan', 5_000_000n)
    expect(pending.response.status).toBe(503)
    expect(await store.accounts.findByName('Orphan')).toBeUndefined()
    // Another payment for the same entry has to wait until the outcome of the first is known.
    expect((await buy('agent_cup_entry', 'orphan', 5_000_000n)).response.status).toBe(409)
    chain.faults.oracle.length = 0
    const site = await openTestShop({ chain, clock, db: store.db })
    await site.payments.reconcile()
    expect((await store.entitlements.of('orphan')).cups).toEqual(['cup-1'])
    const again = await store.post(
      '/api/store/unlock',
      { sku: 'agent_cup_entry', playerName: 'Orphan' },
      { 'payment-signature': pending.header },
    )
    expect(await again.json()).toMatchObject({ status: 'unlocked', resumeToken: expect.stringMatching(/^rt_/) })
  })

  it('are not paid for again by a payment that had failed before another one bought them', async () => {
    chain.faults.settle.push('refused')
    const first = await buy('death_frames_pro', 'Refused', 5_000_000n)
    expect(first.response.status).toBe(402)
    expect((await buy('death_frames_pro', 'Refused', 5_000_000n)).response.status).toBe(200)
    const before = chain.calls.transfers
    const again = { 'payment-signature': first.header }
    const answer = await store.post('/api/store/unlock', { sku: 'death_frames_pro', playerName: 'Refused' }, again)
    expect(await answer.json()).toMatchObject({ status: 'already_owned', charged: false })
    expect(chain.calls.transfers).toBe(before)
  })

  it('are charged once when two payments for them reach two game hosts at the same time', async () => {
    const other = await openTestStore({ money: chain, now: () => clock.ms, db: store.db })
    const sku = 'death_frames_pro'
    for (const playerName of ['Both-1', 'Both-2', 'Both-3']) {
      const validBefore = Math.floor(clock.ms / 1000) + 300
      const signed = await Promise.all(
        ['one', 'other'].map((token) =>
          signPayment({ amount: 5_000_000n, payTo: sandboxPayTo, token: `${token} ${playerName}`, validBefore }),
        ),
      )
      const before = chain.calls.transfers
      const ask = () =>
        Promise.all(
          [store, other].map((host, at) =>
            host.post('/api/store/unlock', { sku, playerName }, { 'payment-signature': signed[at]?.header ?? '' }),
          ),
        )
      const answers = await ask()
      expect(chain.calls.transfers - before).toBeLessThanOrEqual(1)
      for (const { status } of answers) expect([200, 409]).toContain(status)
      // The refused payments are sent again, one after the other.
      for (const { header } of signed)
        await store.post('/api/store/unlock', { sku, playerName }, { 'payment-signature': header })
      expect((await ask()).map(({ status }) => status)).toEqual([200, 200])
      expect(chain.calls.transfers).toBe(before + 1)
    }
    await other.close()
  })

  it('arrive late, and for one payment, when the facilitator is down for a while', async () => {
    chain.faults.verify.push('down')
    const first = await buy('tip_3', 'Patient', 3_000_000n)
    expect([first.response.status, await first.response.json()]).toMatchObject([503, { charged: false }])
    expect(first.response.headers.has('retry-after')).toBe(true)
    const again = { 'payment-signature': first.header }
    const second = await store.post('/api/store/unlock', { sku: 'tip_3', playerName: 'Patient' }, again)
    expect(second.status).toBe(200)
    expect((await store.entitlements.of('patient')).badges).toEqual(['badge_tip'])
  })

  it('have no price for a name that the operator reserved: the buyer learns this before signing', async () => {
    const asked = await store.post('/api/store/unlock', { sku: 'tip_3', playerName: 'Kept-Name' })
    expect([asked.status, await asked.json()]).toMatchObject([
      402,
      {
        charged: false,
        errors: [{ pointer: '/playerName', detail: expect.stringContaining('reserved by the operator') }],
      },
    ])
    const free = await store.post('/api/store/unlock', { sku: 'tip_3', playerName: 'Not-Kept' })
    expect([free.status, (await free.json()).errors]).toEqual([402, undefined])
  })

  it('cannot be bought for a name that the operator reserved', async () => {
    const { response } = await buy('tip_3', 'Kept-Name', 3_000_000n)
    expect([response.status, await response.json()]).toMatchObject([400, { charged: false }])
    expect(await store.accounts.findByName('Kept-Name')).toBeUndefined()
  })

  it('cannot be sold when they would change play', () => {
    expect(() => assertHarmless(storeProducts)).not.toThrow()
    const sword = { sku: 'sword_of_winning', grants: ['supporter', 'extra_damage'] as const }
    expect(() => assertHarmless([...storeProducts, sword])).toThrow('extra_damage')
  })

  it('depend on a secret that is created once and that only its owner can read', () => {
    const file = join(store.dataDir, 'resume-tokens.key')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readSecret(file)).toBe(readSecret(file))
  })

  it('wait for the buyer of a name for seven days, then for whoever joins first under it', async () => {
    await buy('tip_3', 'Late', 3_000_000n)
    expect((await joined('Late')).account.name).toBe('Late-2')
    clock.ms += 7 * 24 * 60 * 60 * 1000 + 1
    const finder = await joined('Late')
    expect([finder.account.name, finder.isResumed]).toEqual(['Late', false])
    expect((await store.entitlements.of('late')).badges).toEqual(['badge_tip'])
    expect((await joined('Late')).account.name).not.toBe('Late')
  })

  it('are for the buyer of a name, whether a program or a person joins', async () => {
    const token = await tokenOf(await buy('tip_3', 'Machine', 3_000_000n))
    const account = { key: 'machine', name: 'Machine', kind: 'agent' }
    expect(await store.accounts.join({ name: 'Machine', kind: 'agent', token })).toMatchObject({ account })
    // The kind of the first join is kept.
    expect(await store.accounts.join({ name: 'Machine', kind: 'human', token })).toMatchObject({ account })
  })

  it('go to the next buyer of a name that its first buyer never joined under', async () => {
    const first = await tokenOf(await buy('tip_3', 'Twice', 3_000_000n))
    clock.ms += 8 * 24 * 60 * 60 * 1000
    const second = await tokenOf(await buy('tip_10', 'Twice', 10_000_000n))
    expect(await store.accounts.findByToken(first)).toBeUndefined()
    expect((await joined('Twice', second)).account.name).toBe('Twice')
  })
})
