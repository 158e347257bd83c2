import { describe, expect, it } from 'vitest'
import { altarKinds } from '../../game-server/core/altar-kinds.ts'
import { getLevel } from '../../game-server/core/get-level.ts'
import { distance } from '../../game-server/core/grid.ts'
import { kindNumber } from '../../game-server/core/items/kinds.ts'
import { summarizeLife } from '../../game-server/core/life.ts'
import { observe } from '../../game-server/core/observe.ts'
import { setTurns, turnsOf } from '../../game-server/core/status.ts'
import { step } from '../../game-server/core/step.ts'
import { T } from '../../game-server/core/tiles.ts'
import { getPlayer, makeWorld } from '../../game-server/core/world.ts'
import { makeArena } from '../support/arena.ts'

type Arena = ReturnType<typeof makeArena>

const trapped = (kind: Parameters<Arena['level']['traps']['set']>[1], set?: (arena: Arena) => void) => {
  const arena = makeArena()
  set?.(arena)
  arena.lay(T.hiddenTrap, 1, 0)
  arena.level.traps.set(arena.at(1, 0), kind)
  arena.press('east')
  return arena
}

describe('a hidden trap', () => {
  it.each([
    ['dart', (arena: Arena) => turnsOf(arena.player, 'poisoned') > 0],
    ['gas', (arena: Arena) => turnsOf(arena.player, 'confused') > 0],
    ['net', (arena: Arena) => turnsOf(arena.player, 'stuck') > 0],
    ['fire', (arena: Arena) => turnsOf(arena.player, 'burning') > 0],
    ['teleport', (arena: Arena) => arena.player.cell !== arena.at(1, 0)],
    ['trapdoor', (arena: Arena) => arena.player.depth === 6],
  ] as const)('affects a player who steps on it, and is visible from then on: %s', (kind, hasWorked) => {
    const arena = trapped(kind)
    expect([hasWorked(arena), arena.level.tiles[arena.at(1, 0)]]).toEqual([true, T.knownTrap])
  })

  it('of the alarm kind wakes monsters that sleep near by', () => {
    const arena = trapped('alarm', (each) => each.put('ogre', 12, 0, 'asleep'))
    expect(arena.level.monsters[0]?.mood).toBe('hunting')
  })

  it('looks like floor until it is found by searching', () => {
    const arena = makeArena()
    arena.lay(T.hiddenTrap, 3, 0)
    arena.level.traps.set(arena.at(3, 0), 'net')
    const rows = observe(arena.world, 1, []).view.rows.join('')
    expect(rows).not.toContain('^')
    expect(arena.pressUntil('S', 20, () => arena.level.tiles[arena.at(3, 0)] === T.knownTrap)).toBe(true)
    expect(observe(arena.world, 1, []).view.rows.join('')).toContain('^')
  })

  it('does nothing to floating players', () => {
    const arena = makeArena()
    arena.press(arena.give('feathers'))
    arena.lay(T.knownTrap, 1, 0)
    arena.lay(T.chasm, 2, 0)
    arena.lay(T.deepWater, 3, 0)
    for (let i = 0; i < 3; i++) expect(arena.press('east').spent).toBe(1)
    expect([arena.player.cell, arena.player.hp, arena.player.depth]).toEqual([arena.at(3, 0), 40, 5])
  })
})

describe('the ground', () => {
  it('drops a player who stops floating over a chasm', () => {
    const arena = makeArena()
    arena.lay(T.chasm, 1, 0, 9, 0)
    setTurns(arena.player, 'floating', 3)
    for (let i = 0; i < 3; i++) arena.press('east')
    expect(arena.player.depth).toBe(6)
  })

  it('hides a door in the wall until a player beside it searches', () => {
    const arena = makeArena()
    arena.lay(T.wall, 1, -9, 1, 9)
    arena.lay(T.secretDoor, 1, 0)
    expect(arena.press('east')).toEqual({ spent: 0, told: 'There is a wall in the way.' })
    expect(arena.pressUntil('.', 60, () => arena.level.tiles[arena.at(1, 0)] === T.door)).toBe(true)
    expect(arena.press('east').spent).toBe(1)
  })

  it('is slow where the water is deep, and keeps walkers off', () => {
    const arena = makeArena()
    arena.lay(T.deepWater, 1, -9, 4, 9)
    const goblin = arena.put('goblin', 6, 0)
    expect(arena.press('east').spent).toBe(2)
    for (let i = 0; i < 9; i++) arena.press('.')
    expect(arena.level.tiles[goblin.cell]).toBe(T.floor)
  })

  it('of water puts out burning players', () => {
    const arena = makeArena()
    arena.lay(T.water, 1, 0)
    arena.press(arena.give('fire'))
    arena.press('east')
    expect(turnsOf(arena.player, 'burning')).toBe(0)
  })

  it('falls away at a chasm, which leads one level down', () => {
    const arena = makeArena()
    arena.lay(T.chasm, 1, 0)
    arena.press('east')
    expect([arena.player.depth, arena.player.hp]).toEqual([6, 37])
  })

  it('with tall grass is trampled when walked on, and then does not block sight', () => {
    const arena = makeArena()
    arena.lay(T.tallGrass, 1, -9, 1, 9)
    expect(observe(arena.world, 1, []).view.rows.join('')).not.toContain('.;.')
    arena.press('east')
    expect(arena.level.tiles[arena.at(1, 0)]).toBe(T.grass)
  })

  it('leads out of the dungeon only with the Amulet, and then the life is won', () => {
    const arena = makeArena({ depth: 1 })
    arena.lay(T.stairsUp, 0, 0)
    arena.level.up = arena.at(0, 0)
    expect(arena.press('<').spent).toBe(0)
    arena.drop('amulet', 1, 0)
    arena.press('east')
    arena.press('west')
    expect(arena.press('<').told).toContain('Daylight')
    expect([arena.player.hasWon, arena.player.ending]).toEqual([true, 'escaped with the Amulet'])
    expect(summarizeLife(arena.world, 1).score).toBe(1000 + 50_000)
  })
})

describe('the stairs', () => {
  it('lead one level down, and back up to the same place', () => {
    const world = makeWorld('stairs')
    step(world, { is: 'join', name: 'Ada', kind: 'human' }, [])
    const player = getPlayer(world, 1)
    const [first, second] = [getLevel(world, 1), getLevel(world, 2)]
    for (const level of [first, second]) level.monsters.length = 0
    const take = (key: string, cell: number) => {
      player.cell = cell
      step(world, { is: 'key', player: 1, key }, [])
      return [player.depth, player.cell]
    }
    expect(take('>', first.down)).toEqual([2, second.arrivals[0]])
    expect(take('<', second.up)).toEqual([1, first.returns[0]])
    expect(player.deepest).toBe(2)
  })
})

describe('an altar', () => {
  const standing = (id: string) => {
    const arena = makeArena()
    arena.lay(T.altar, 0, 0)
    arena.level.altars.set(arena.at(0, 0), { kind: altarKinds.findIndex((kind) => kind.id === id), taken: 0 })
    return arena
  }

  it('of blood takes health for gear, from players with more than 12 health', () => {
    const poor = standing('blood')
    poor.player.maxHp = 12
    expect(poor.press('c').spent).toBe(0)
    poor.player.maxHp = 13
    expect(poor.press('c').spent).toBe(1)

    const arena = standing('blood')
    arena.press('c')
    expect([arena.player.maxHp, arena.player.weapon.power, arena.player.armour.power]).toEqual([34, 1, 1])
  })

  it('of coin takes gold for health, from players who have gold', () => {
    const arena = standing('coin')
    arena.player.hp = 3
    expect(arena.press('c').spent).toBe(0)
    arena.player.gold = 100
    arena.press('c')
    expect([arena.player.gold, arena.player.hp]).toEqual([40, 40])
  })

  it('of memory takes the map for health', () => {
    const arena = standing('memory')
    arena.press('east')
    arena.press('west')
    arena.press('c')
    expect(arena.player.maxHp).toBe(45)
  })

  it('of chance has some effect, and every altar bargains once with each player', () => {
    const arena = standing('chance')
    expect([arena.press('c').spent, arena.press('c').spent]).toEqual([1, 0])
    expect(arena.player.pack.map(({ kind }) => kind)).toEqual([kindNumber('healing')])
  })
})

describe('a player in the way', () => {
  const cellOf = (arena: Arena, id: number) => arena.world.players.get(id)?.cell

  it('is walked past and not moved, not even from the stairs', () => {
    const arena = makeArena({ players: 3 })
    arena.put('zombie', 2, 2)
    for (const lies of [1, 2]) expect([arena.press('east', 1).spent, arena.player.cell]).toEqual([1, arena.at(lies, 0)])
    expect([2, 3].map((id) => cellOf(arena, id))).toEqual([arena.at(1, 0), arena.at(2, 0)])
    const names = observe(arena.world, 3, []).entities.map(({ name }) => name)
    expect(names).toEqual(['⟦p1⟧', '⟦p2⟧', 'zombie'])
  })

  it('still blocks monsters when another player who shared the cell has gone on', () => {
    const arena = makeArena({ players: 2 })
    for (const key of ['east', 'west', 'west']) arena.press(key, 1)
    expect(arena.level.occupants[arena.at(1, 0)]).toBe(-2)
  })

  it('is off the map while away, and comes back to the same fight', () => {
    const arena = makeArena({ players: 2 })
    const goblin = arena.put('goblin', 2, 1)
    arena.press('.', 2)
    step(arena.world, { is: 'leave', player: 2 }, [])
    expect(arena.level.occupants[arena.at(1, 0)]).toBe(0)
    const before = JSON.stringify(arena.world.players.get(2))
    arena.press('east', 1)
    expect(arena.player.cell).toBe(arena.at(1, 0))
    step(arena.world, { is: 'return', player: 2 }, [])
    expect(JSON.stringify(arena.world.players.get(2)).replace(/"cell":\d+|"isHere":true/g, '')).toBe(
      before.replace(/"cell":\d+|"isHere":false/g, ''),
    )
    expect([goblin.hunts.some((hunt) => hunt.player === 2), cellOf(arena, 2) !== arena.player.cell]).toEqual([
      true,
      true,
    ])
  })

  it('comes back beside the trap that they had stepped on, not into it', () => {
    const arena = trapped('dart')
    step(arena.world, { is: 'leave', player: 1 }, [])
    step(arena.world, { is: 'return', player: 1 }, [])
    expect(arena.player.cell).not.toBe(arena.at(1, 0))
    expect(distance(arena.player.cell, arena.at(1, 0))).toBe(1)
  })
})

describe('the way up', () => {
  it('is a race once a player carries the Amulet', () => {
    const hunted = (hasAmulet: boolean) => {
      const arena = makeArena()
      arena.lay(T.wall, 6, -9, 6, 8)
      arena.player.hasAmulet = hasAmulet
      for (let i = 0; i < 100; i++) arena.press('.')
      return arena.level.monsters.length
    }
    expect([hunted(true), hunted(false)]).toEqual([1, 0])
  })
})
