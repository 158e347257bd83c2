import { describe, expect, it } from 'vitest'
import { itemKinds, kindNumber } from '../../game-server/core/items/kinds.ts'
import { observe } from '../../game-server/core/observe.ts'
import { step } from '../../game-server/core/step.ts'
import { makeArena } from '../support/arena.ts'

describe('loot', () => {
  it('can be taken once by every player', () => {
    const arena = makeArena({ players: 2 })
    arena.drop('gold', -1, 0, { count: 30 })
    arena.press('west', 1)
    arena.press('east', 1)
    arena.press('west', 1)
    expect(arena.player.gold).toBe(30)
    expect(observe(arena.world, 1, []).items).toEqual([])
    expect(observe(arena.world, 2, []).items.length).toBe(1)
    arena.press('g', 2)
    expect(arena.world.players.get(2)?.gold).toBe(30)
  })

  it('can be taken by each of sixteen players, and a world has room for no more', () => {
    const arena = makeArena({ players: 16 })
    expect(step(arena.world, { is: 'join', name: 'p17', kind: 'human' }, []).ok).toBe(false)
    arena.drop('gold', 7, 1, { count: 30 })
    for (let id = 1; id <= 16; id++) arena.press('g', id)
    expect([...arena.world.players.values()].map(({ gold }) => gold)).toEqual(Array(16).fill(30))
  })

  it('in a treasury is a choice of one, for each player on their own', () => {
    const arena = makeArena({ players: 2 })
    arena.drop('force', -1, -1, { vault: 1, power: 3 })
    arena.drop('plate', -1, 1, { vault: 1 })
    arena.press('northwest', 1)
    expect(observe(arena.world, 1, []).items).toEqual([])
    expect(observe(arena.world, 2, []).items.map(({ isChoice }) => isChoice)).toEqual([true, true])
    expect(arena.press('g', 2).told).toContain('Nothing')
  })

  const wandsAndCharms = [
    'force',
    'frost',
    'flame',
    'leech',
    'away',
    'sloth',
    'change',
    'twins',
    'mending',
    'blinking',
    'warding',
    'fright',
  ]

  it('that does not fit the pack is explained, and can be swapped for the least valuable item', () => {
    const arena = makeArena()
    arena.player.pack = wandsAndCharms.map((id) => ({ kind: kindNumber(id), count: 1, power: 2 }))
    arena.drop('haste', 1, 0)
    expect(arena.press('east').told).toContain('Your pack is full')
    expect(arena.press('x').spent).toBe(1)
    expect(arena.player.pack.map(({ kind }) => itemKinds[kind]?.id)).toEqual([...wandsAndCharms.slice(0, -1), 'haste'])
  })

  it('is worth more than spare gear in a full pack, unless it is gear itself', () => {
    const arena = makeArena()
    arena.player.pack = ['axe', ...wandsAndCharms.slice(1)].map((id) => ({ kind: kindNumber(id), count: 1, power: 2 }))
    arena.drop('mace', 1, 0)
    arena.drop('haste', 2, 0)
    expect(arena.press('east').told).toContain('Your pack is full')
    expect(arena.press('east').told).toContain('leave the +2 axe to make room')
    expect(arena.player.pack.map(({ kind }) => itemKinds[kind]?.id)).toEqual([...wandsAndCharms.slice(1), 'haste'])
  })

  it('has unidentified looks that differ in every world, until it is tried', () => {
    const look = (seed: string) => {
      const arena = makeArena({ seed })
      arena.player.pack = ['haste', 'venom', 'dread', 'flame'].map((id) => ({
        kind: kindNumber(id),
        count: 1,
        power: 3,
      }))
      return observe(arena.world, 1, []).you.pack
    }
    expect(look('one')).toEqual(look('one'))
    expect(look('one')).not.toEqual(look('two'))
    expect(look('one').join()).not.toMatch(/haste|venom|dread|flame| 3/)
  })
})
