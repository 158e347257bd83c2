import { describe, expect, it } from 'vitest'
import { kindNumber } from '../../game-server/core/items/kinds.ts'
import { makeArena } from '../support/arena.ts'

type Arena = ReturnType<typeof makeArena>

describe('a weapon', () => {
  const wielding = (id: string) => {
    const arena = makeArena()
    arena.player.weapon = { kind: kindNumber(id), count: 1, power: 0 }
    arena.player.strength = 20
    arena.player.hp = 900
    return arena
  }
  const hurtOf = ({ level }: Arena) => level.monsters.map(({ hp }) => 55 - hp)

  it('kills sleepers at once: dagger', () => {
    const arena = wielding('dagger')
    arena.put('goblin', 1, 0, 'asleep')
    arena.press('east')
    expect(arena.level.monsters).toEqual([])
  })

  it('hits everything adjacent: axe', () => {
    const arena = wielding('axe')
    for (const [east, south] of [
      [1, 0],
      [-1, 0],
      [0, 1],
    ] as const)
      arena.put('troll', east, south, 'idle').stunned = 9
    arena.press('east')
    expect(hurtOf(arena).every((hurt) => hurt > 0)).toBe(true)
  })

  it('hits two in a row: spear', () => {
    const arena = wielding('spear')
    for (const east of [1, 2]) arena.put('troll', east, 0, 'idle').stunned = 9
    arena.press('east')
    expect(hurtOf(arena).every((hurt) => hurt > 0)).toBe(true)
  })

  it('sometimes stuns: mace', () => {
    const arena = wielding('mace')
    arena.player.weapon.power = -5
    const troll = arena.put('troll', 1, 0)
    expect(arena.pressUntil('east', 60, () => troll.stunned > 0)).toBe(true)
  })

  it.each([
    ['rapier', 'sword', 'east'],
    ['bow', 'knife', 'f'],
    ['greatsword', 'sword', 'east'],
    ['sword', 'knife', 'east'],
  ])('is better than the lesser weapon: %s over %s', (better, worse, key) => {
    const harm = (id: string) => {
      const arena = wielding(id)
      arena.player.strength = 15
      const target = arena.put('goblin', key === 'f' ? 5 : 1, 0)
      target.hp = 9000
      for (let i = 0; i < 150; i++) {
        target.stunned = 0
        target.mood = 'idle'
        target.scared = 0
        target.slowed = 0
        arena.press(key)
        arena.player.hp = 900
        if (key === 'f') {
          arena.level.occupants[target.cell] = 0
          target.cell = arena.at(5, 0)
          arena.level.occupants[target.cell] = target.id
        }
      }
      return 9000 - target.hp
    }
    expect(harm(better)).toBeGreaterThan(harm(worse))
  })
})

describe('armour', () => {
  const harmIn = (id: string, seed = 'arena') => {
    const arena = makeArena({ seed })
    arena.player.armour = { kind: kindNumber(id), count: 1, power: 0 }
    arena.player.strength = 16
    arena.player.hp = 9000
    const goblin = arena.put('goblin', 1, 0)
    goblin.hp = 9000
    for (let i = 0; i < 300; i++) arena.press('.')
    return { harm: 9000 - arena.player.hp, back: 9000 - goblin.hp }
  }

  it('stops more blows the heavier it is', () => {
    // Of two kinds with similar weight, one may be luckier in a single fight.
    const fights = ['one', 'two', 'three', 'four', 'five']
    const harms = ['coat', 'leather', 'rings', 'chain', 'plate'].map((id) =>
      fights.reduce((sum, seed) => sum + harmIn(id, seed).harm, 0),
    )
    expect(harms).toEqual([...harms].sort((a, b) => b - a))
  })

  it('hurts attackers: coat of thorns', () => {
    expect(harmIn('thorns').back).toBeGreaterThan(100)
  })

  it('does not wake sleepers: shadow cloak', () => {
    const wakes = (id: string) => {
      let awake = 0
      for (let i = 0; i < 15; i++) {
        const arena = makeArena({ seed: `sleep ${i}` })
        arena.player.armour = { kind: kindNumber(id), count: 1, power: 0 }
        arena.player.hp = 900
        const goblin = arena.put('goblin', 4, 0, 'asleep')
        for (let turn = 0; turn < 20; turn++) arena.press('.')
        if (goblin.mood !== 'asleep') awake++
      }
      return awake
    }
    expect([wakes('coat') > 5, wakes('shadow')]).toEqual([true, 0])
  })
})
