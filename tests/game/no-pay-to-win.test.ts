import { expect, it } from 'vitest'
import { hashWorld } from '../../game-server/core/hash-world.ts'
import type { CupAccess } from '../../game-server/sessions/cup-access.ts'
import { storeProducts } from '../../game-server/store/products.ts'
import { grantEntitlements } from '../../src/payments/ledger/grants.ts'
import { figure } from '../support/figures.ts'
import { startGameHost } from '../support/game-host.ts'

const keys = figure(90, 1400)
/** The same seed and the same dice for every player. */
const sameForAll: CupAccess = {
  enter: async () => ({
    is: 'entered',
    venue: { mode: 'cup', event: 'cup-1', seed: 'one seed', dice: 'one die' },
    limits: { keys: 1500, at: Number.MAX_SAFE_INTEGER },
  }),
  isRevealed: async () => false,
}

async function playWith(entitlements: readonly string[]) {
  const gameHost = await startGameHost({ cups: sameForAll, inputLimits: { perSecond: 1e6, burst: 1e6 } })
  const joined = await gameHost.dungeon.join({ name: 'Ada', kind: 'agent' })
  if (joined.is !== 'seen') throw new Error(joined.message)
  if (entitlements.length > 0)
    await gameHost.ledger
      .transaction()
      .execute((tx) => grantEntitlements(tx, { key: 'ada', entitlements, scope: '', source: 'purchase' }, Date.now()))
  await gameHost.dungeon.join({ name: 'Ada', kind: 'agent', token: joined.token, mode: 'cup' })
  const seen: string[] = []
  for (let press = 0; press < keys; press++) {
    const answer = await gameHost.dungeon.act(joined.token, ['o', '>', 'f', 'east', 'o', 'south'][press % 6] ?? '.')
    if (answer.is === 'seen') seen.push(JSON.stringify(answer.observation))
  }
  const session = gameHost.game.findByName('Ada')
  const hash = session && hashWorld(session.realm.world)
  const badges = session?.badges
  await gameHost.stop()
  return { hash, seen, badges }
}

it('leads from the same keys to the same world, whatever a player bought', async () => {
  const poor = await playWith([])
  const rich = await playWith([...new Set(storeProducts.flatMap(({ grants }) => grants))])
  expect([poor.badges, rich.badges]).toEqual([[], ['badge_tip']])
  expect(rich.seen.length).toBeGreaterThan(20)
  expect([rich.hash, rich.seen]).toEqual([poor.hash, poor.seen])
})
