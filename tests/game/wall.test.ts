import { afterAll, describe, expect, it } from 'vitest'
import { pretendChain } from '../support/pretend-chain.ts'
import { openTestStore } from '../support/test-store.ts'

const clock = { ms: Date.UTC(2026, 5, 1, 22) }
const store = await openTestStore({ money: pretendChain(clock), now: () => clock.ms })
afterAll(async () => {
  await store.close()
  await store.db.destroy()
})

async function newPlayer(playerName: string, entitlements: string[] = []) {
  const joined = await store.accounts.join({ name: playerName, kind: 'human' })
  if (joined.is !== 'joined') throw new Error(joined.is)
  for (const entitlement of entitlements)
    await store.db
      .insertInto('entitlement')
      .values({ player_key: joined.account.key, entitlement, scope: '', source: 'purchase', granted_at: clock.ms })
      .execute()
  return { playerName, resumeToken: joined.token }
}
const shout = (body: object) => store.post('/api/wall', body)

describe('the entrance wall', () => {
  it('takes one line a day from players who own a shout, and shows it marked as a stranger\u2019s', async () => {
    const ada = await newPlayer('Ada', ['wall_shout'])
    expect((await shout({ ...ada, text: 'The goblin on two has my good boots.' })).status).toBe(200)
    const second = await shout({ ...ada, text: 'And my hat.' })
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '7200'])
    clock.ms += 3 * 60 * 60 * 1000
    expect((await shout({ ...ada, text: 'And my hat.' })).status).toBe(200)
    expect(await (await store.ask('/api/wall')).json()).toMatchObject({
      untrusted: true,
      shouts: [
        { by: 'Ada', text: '⟦And my hat.⟧' },
        { by: 'Ada', text: '⟦The goblin on two has my good boots.⟧' },
      ],
    })
    expect(store.told.map(({ text }) => text)).toEqual(['⟦The goblin on two has my good boots.⟧', '⟦And my hat.⟧'])
  })

  it('does not show lines of muted players', async () => {
    const player = await newPlayer('Muted', ['wall_shout'])
    await shout({ ...player, text: 'I was here.' })
    expect(await (await store.ask('/api/wall')).text()).toContain('I was here.')
    store.muted.set('muted', 90_000)
    clock.ms += 24 * 60 * 60 * 1000
    const refused = await shout({ ...player, text: 'I still am.' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '90'])
    expect(await (await store.ask('/api/wall')).text()).not.toContain('I was here.')
  })

  it('shows the lines of others behind any number of lines of muted players', async () => {
    const quiet = await newPlayer('Quiet', ['wall_shout'])
    await shout({ ...quiet, text: 'Mind the second step.' })
    const often = await newPlayer('Often', ['wall_shout'])
    for (let day = 0; day < 21; day++) {
      clock.ms += 24 * 60 * 60 * 1000
      await shout({ ...often, text: `Day ${day}.` })
    }
    const lines = async () => {
      const { shouts } = await (await store.ask('/api/wall')).json()
      return shouts.map(({ text }: { text: string }) => text)
    }
    expect((await lines()).slice(0, 2)).toEqual(['⟦Day 20.⟧', '⟦Day 19.⟧'])
    expect(await lines()).toHaveLength(20)
    // The next line takes the place of a muted one, and no more than that.
    const newest = await newPlayer('Newest', ['wall_shout'])
    await shout({ ...newest, text: 'Me first.' })
    store.muted.set('newest', 90_000)
    expect((await lines())[0]).toBe('⟦Day 20.⟧')
    expect(await lines()).toHaveLength(20)
    store.muted.set('often', 90_000)
    expect((await lines())[0]).toBe('⟦Mind the second step.⟧')
  })

  it.each([
    ['too long', 'x'.repeat(61)],
    ['empty', '   '],
    ['not ASCII', 'caf\u00e9'],
    ['two lines', 'a\nb'],
    ['an address', 'gold at example.com'],
    ['foul', 'oh just ky$'],
  ])('refuses text that is %s', async (_, text) => {
    const player = await newPlayer('Loud', ['wall_shout'])
    expect(await (await shout({ ...player, text })).json()).toMatchObject({
      status: 400,
      errors: [{ pointer: '/text' }],
    })
  })

  it('is closed to players without a shout and to tokens of other players', async () => {
    const plain = await newPlayer('Plain')
    expect((await shout({ ...plain, text: 'hello' })).status).toBe(400)
    expect((await shout({ ...plain, playerName: 'Ada', text: 'hello' })).status).toBe(401)
  })
})

describe('a death frame', () => {
  it('is the newest one owned until the player chooses another', async () => {
    const player = await newPlayer('Framed', ['frame_gold', 'frame_neon'])
    expect((await store.entitlements.of('framed')).activeFrame).toBe('frame_neon')
    const choose = (frame: string) => store.post('/api/store/frame', { ...player, frame })
    expect((await choose('frame_gold')).status).toBe(200)
    expect((await store.entitlements.of('framed')).activeFrame).toBe('frame_gold')
    expect((await choose('plain')).status).toBe(200)
    expect((await store.entitlements.of('framed')).activeFrame).toBe('plain')
    expect((await choose('frame_void')).status).toBe(400)
  })
})
