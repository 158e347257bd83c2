import { describe, expect, it } from 'vitest'
import { width } from '../../game-server/core/grid.ts'
import { monsterKinds } from '../../game-server/core/monsters/kinds.ts'
import { observe } from '../../game-server/core/observe.ts'
import { turnsOf } from '../../game-server/core/status.ts'
import { T } from '../../game-server/core/tiles.ts'
import { gapTo, makeSturdyArena, names } from '../support/sturdy-arena.ts'

describe('a monster of the deep', () => {
  it('teleports next to a player: imp', () => {
    const arena = makeSturdyArena()
    const imp = arena.put('imp', 7, 0)
    arena.press('.')
    arena.press('.')
    expect(gapTo(arena, imp)).toBe(1)
  })

  it('warns before its gaze holds a player, and forgets players who leave its sight: gazer', () => {
    const arena = makeSturdyArena()
    arena.lay(T.wall, 2, -9, 2, -1)
    const gazer = arena.put('gazer', 6, 0)
    const warned = () => {
      for (let i = 0; i < 8; i++) if (arena.press('.').told.includes('begins to open')) return true
      return false
    }
    expect([warned(), turnsOf(arena.player, 'paralysed')]).toEqual([true, 0])
    arena.occupy(1, arena.at(0, -6))
    for (let i = 0; i < 3 && (gazer.hunts[0]?.mark ?? 0) > 0; i++) arena.press('north')
    expect(arena.press('.').told).not.toContain('cannot move')

    const still = makeSturdyArena()
    still.put('gazer', 6, 0)
    let told = ''
    for (let i = 0; i < 8; i++) told += still.press('.').told
    expect(told).toContain('cannot move a finger')
  })

  it('poses as loot until somebody reaches for it: mimic', () => {
    const arena = makeSturdyArena()
    arena.put('mimic', 3, 0)
    const seen = observe(arena.world, 1, [])
    expect([seen.entities.length, seen.items.length]).toEqual([0, 1])
    const { told } = arena.press('g')
    expect(told).toContain('That is a mimic')
    expect(names(arena)).toEqual(['mimic'])
  })

  it('moves only when a player steps away from it, and takes no damage: guardian', () => {
    const arena = makeSturdyArena()
    const guardian = arena.put('guardian', 3, 0)
    for (let i = 0; i < 6; i++) arena.press('.')
    const { cell } = guardian
    for (let i = 0; i < 6; i++) arena.press('.')
    expect(guardian.cell).toBe(cell)
    for (let i = 0; i < 6; i++) arena.press(i % 2 === 0 ? 'north' : 'south')
    expect(guardian.cell).not.toBe(cell)
    expect(guardian.hp).toBe(99)
  })

  it('returns to its post when it loses sight of a player, and never leaves its treasury: guardian', () => {
    const arena = makeSturdyArena()
    arena.lay(T.wall, 2, -9, 2, 9)
    arena.lay(T.arch, 2, 0)
    const guardian = arena.put('guardian', 5, 0)
    for (let i = 0; i < 20; i++) arena.press(i % 2 === 0 ? 'east' : 'west')
    expect(guardian.cell % width).toBeGreaterThan(arena.at(2, 0) % width)
    expect(guardian.cell).not.toBe(guardian.home)
    for (let i = 0; i < 6; i++) arena.press('southwest')
    expect(guardian.cell).toBe(arena.at(5, 0))
  })

  it('raises the dead: necromancer', () => {
    const arena = makeSturdyArena()
    arena.put('necromancer', 6, 0)
    expect(arena.pressUntil('.', 6, () => names(arena).includes('skeleton'))).toBe(true)
  })

  it('rises once after it was killed: skeleton', () => {
    const arena = makeSturdyArena()
    const skeleton = arena.put('skeleton', 1, 0)
    skeleton.hp = 1
    arena.pressUntil('east', 20, () => skeleton.isSpent)
    expect(skeleton.hp).toBeGreaterThan(1)
    expect(arena.pressUntil('east', 40, () => arena.level.monsters.length === 0)).toBe(true)
  })

  it('chills its victims: wraith', () => {
    const arena = makeSturdyArena()
    arena.put('wraith', 1, 0)
    expect(arena.pressUntil('.', 40, () => turnsOf(arena.player, 'slowed') > 0)).toBe(true)
  })

  it('regenerates: troll', () => {
    const arena = makeSturdyArena()
    const troll = arena.put('troll', 1, 0)
    troll.hp = 10
    for (let i = 0; i < 8; i++) arena.press('.')
    expect(troll.hp).toBeGreaterThan(25)
  })

  it('breathes fire: drake', () => {
    const arena = makeSturdyArena()
    arena.put('drake', 5, 0)
    expect(arena.pressUntil('.', 10, () => turnsOf(arena.player, 'burning') > 0)).toBe(true)
  })

  it('hastens its allies: war drummer', () => {
    const paced = (drummer: boolean) => {
      const arena = makeSturdyArena()
      const zombie = arena.put('zombie', 9, 0)
      if (drummer) arena.put('war drummer', 8, 1)
      for (let i = 0; i < 7; i++) arena.press('.')
      return gapTo(arena, zombie)
    }
    expect(paced(true)).toBeLessThan(paced(false))
  })

  it('hisses one turn and explodes the next if anybody is still near: fuse beetle', () => {
    const arena = makeSturdyArena()
    arena.put('fuse beetle', 2, 0)
    let warned = ''
    for (let i = 0; i < 6 && !warned.includes('hisses'); i++) warned = arena.press('.').told
    expect([warned.includes('hisses'), arena.player.hp]).toEqual([true, 9000])
    expect(arena.pressUntil('.', 3, () => arena.player.hp < 9000)).toBe(true)
    expect(arena.level.monsters).toEqual([])
  })

  it('heals by what it drains: blood bat', () => {
    const arena = makeSturdyArena()
    const bat = arena.put('blood bat', 1, 0)
    arena.press('.')
    bat.hp = 4
    expect(arena.pressUntil('.', 40, () => bat.hp > 4)).toBe(true)
  })

  it('curses from afar: hedge witch', () => {
    const arena = makeSturdyArena()
    arena.put('hedge witch', 6, 0)
    const isCursed = () => (['slowed', 'confused', 'blind'] as const).some((curse) => turnsOf(arena.player, curse) > 0)
    expect(arena.pressUntil('.', 10, isCursed)).toBe(true)
  })

  it('is seen only from an adjacent cell: phantom', () => {
    const arena = makeSturdyArena()
    const phantom = arena.put('phantom', 5, 0)
    arena.press('.')
    expect([names(arena), phantom.mood]).toEqual([[], 'hunting'])
    expect(arena.pressUntil('.', 10, () => names(arena).includes('phantom'))).toBe(true)
    expect(gapTo(arena, phantom)).toBe(1)
  })

  it('poisons with every other bite: centipede', () => {
    const arena = makeSturdyArena()
    arena.put('centipede', 1, 0)
    expect(arena.pressUntil('.', 40, () => turnsOf(arena.player, 'poisoned') > 0)).toBe(true)
  })

  it.each([
    [3, ["bailiff's hound", 'dun', 'process server']],
    [6, ['bailiff', 'bloodhound', 'tipstaff']],
    [11, ['executor', 'liquidator', 'receiver']],
  ])('is sent after players who stay too long on depth %i: %s', (depth, hunters) => {
    const met = new Set<string | undefined>()
    for (let n = 0; n < 12; n++) {
      const arena = makeSturdyArena({ depth, seed: `arena ${n}` })
      arena.lay(T.wall, 6, -9, 6, 8)
      arena.pressUntil('.', 600, () => arena.level.monsters.length > 0)
      for (const { kind } of arena.level.monsters) met.add(monsterKinds[kind]?.name)
    }
    expect([...met].sort()).toEqual(hunters)
  })

  it('calls goblins when it is hard pressed: the Alderman', () => {
    const arena = makeSturdyArena()
    arena.put('Alderman', 6, 0)
    expect(arena.pressUntil('.', 6, () => names(arena).includes('goblin'))).toBe(true)
  })

  it('raises its fists a turn before it strikes: the Foreman', () => {
    const arena = makeSturdyArena()
    const foreman = arena.put('Foreman', 1, 0)
    let told = ''
    for (let i = 0; i < 6 && !told.includes('raises both fists'); i++) told = arena.press('.').told
    expect([told.includes('raises both fists'), arena.player.hp]).toEqual([true, 9000])
    arena.press('west')
    arena.press('west')
    expect([arena.player.hp, gapTo(arena, foreman) >= 1]).toEqual([9000, true])
  })

  it('teleports next to a player and heals by what it drains: the Tallyman', () => {
    const arena = makeSturdyArena({ depth: 12 })
    const tallyman = arena.put('Tallyman', 7, 0)
    tallyman.hp = 50
    expect(arena.pressUntil('.', 20, () => tallyman.hp > 50)).toBe(true)
  })
})
