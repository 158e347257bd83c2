import { describe, expect, it } from 'vitest'
import { width } from '../../game-server/core/grid.ts'
import { kindNumber } from '../../game-server/core/items/kinds.ts'
import { type MonsterKind, monsterKinds } from '../../game-server/core/monsters/kinds.ts'
import { engage } from '../../game-server/core/place.ts'
import { turnsOf } from '../../game-server/core/status.ts'
import { T } from '../../game-server/core/tiles.ts'
import { isAlive } from '../../game-server/core/world.ts'
import { makeArena } from '../support/arena.ts'
import { gapTo, makeSturdyArena, names } from '../support/sturdy-arena.ts'

describe('every kind of monster', () => {
  it('has a letter of its own, which no item has', () => {
    const glyphs = monsterKinds.map(({ glyph }) => glyph)
    expect(new Set(glyphs).size).toBe(glyphs.length)
    expect(glyphs.join('')).toMatch(/^[B-Za-z]+$/)
  })

  it('that can deal damage hurts a player who only waits', () => {
    const harmless = (kind: MonsterKind) =>
      kind.aim === 0 || kind.isStone || kind.gait === 'swims' || kind.hides === 'as-loot'
    for (const kind of monsterKinds.filter((each) => !harmless(each))) {
      const arena = makeSturdyArena()
      arena.put(kind.id, 2, 0)
      expect([kind.id, arena.pressUntil('.', 120, () => arena.player.hp < 9000)]).toEqual([kind.id, true])
    }
  })

  it('can be killed, except those of stone', () => {
    for (const kind of monsterKinds) {
      const arena = makeSturdyArena()
      arena.player.weapon = { kind: kindNumber('greatsword'), count: 1, power: 60 }
      const monster = arena.put(kind.id, 1, 0, 'asleep')
      monster.stunned = 99
      arena.pressUntil('east', 60, () => !arena.level.monsters.includes(monster))
      expect([kind.id, arena.level.monsters.includes(monster)]).toEqual([kind.id, kind.isStone === true])
    }
  })
})

describe('a monster', () => {
  it('comes closer and bites: sewer rat', () => {
    const arena = makeSturdyArena()
    const rat = arena.put('sewer rat', 6, 0)
    arena.press('.')
    arena.press('.')
    expect(gapTo(arena, rat)).toBeLessThan(6)
  })

  it('that is fast takes two steps in one turn: jackal compared with goblin', () => {
    const arena = makeSturdyArena()
    const jackal = arena.put('jackal', 8, -2)
    const goblin = arena.put('goblin', 8, 2)
    for (let i = 0; i < 5; i++) arena.press('.')
    expect(gapTo(arena, jackal)).toBeLessThan(gapTo(arena, goblin))
  })

  it('flutters about erratically: cave bat', () => {
    const arena = makeSturdyArena()
    const bat = arena.put('cave bat', 3, 0)
    const places = new Set<number>()
    for (let i = 0; i < 20; i++) {
      arena.press('.')
      places.add(bat.cell)
    }
    expect(places.size).toBeGreaterThan(4)
  })

  it('flees when it is losing: kobold', () => {
    const arena = makeSturdyArena()
    const kobold = arena.put('kobold', 1, 0)
    arena.press('.')
    kobold.hp = 2
    for (let i = 0; i < 6; i++) arena.press('.')
    expect(gapTo(arena, kobold)).toBeGreaterThan(3)
  })

  it('shoots from afar and avoids melee: goblin archer', () => {
    const arena = makeSturdyArena()
    const archer = arena.put('goblin archer', 6, 0)
    expect(arena.pressUntil('.', 40, () => arena.player.hp < 9000)).toBe(true)
    expect(gapTo(arena, archer)).toBeGreaterThan(1)
  })

  it('heals its allies: goblin shaman', () => {
    const arena = makeSturdyArena()
    const goblin = arena.put('goblin', 2, 0)
    arena.put('goblin shaman', 4, 0)
    arena.press('.')
    goblin.hp = 3
    expect(arena.pressUntil('.', 12, () => goblin.hp > 3)).toBe(true)
  })

  it('steals from the pack and flees; its killer gets the item back: monkey', () => {
    const arena = makeSturdyArena()
    arena.player.pack = [{ kind: kindNumber('haste'), count: 1, power: 0 }]
    arena.lay(T.wall, 6, -9, 6, 9)
    arena.lay(T.wall, -6, -9, -6, 9)
    const monkey = arena.put('monkey', 1, 0)
    expect(arena.pressUntil('.', 40, () => arena.player.pack.length === 0)).toBe(true)
    for (let i = 0; i < 5; i++) arena.press('.')
    expect(gapTo(arena, monkey)).toBeGreaterThan(2)
    monkey.hp = 1
    arena.pressUntil('f', 99, () => !arena.level.monsters.includes(monkey))
    expect([...arena.level.piles.values()].map(({ kind }) => kind)).toEqual([kindNumber('haste')])
  })

  it('keeps to deep water, unseen until a player is near: eel', () => {
    const arena = makeSturdyArena()
    arena.lay(T.deepWater, 1, -2, 6, 2)
    const eel = arena.put('eel', 3, 0)
    arena.press('.')
    expect(names(arena)).toEqual([])
    expect(arena.pressUntil('.', 40, () => eel.isHidden === false)).toBe(false)
    arena.press('east')
    expect(arena.pressUntil('.', 40, () => arena.player.hp < 9000)).toBe(true)
    expect(arena.level.tiles[eel.cell]).toBe(T.deepWater)
  })

  it('splits in two when it is cut: jelly', () => {
    const arena = makeSturdyArena()
    arena.put('jelly', 1, 0)
    arena.pressUntil('east', 30, () => arena.level.monsters.length > 1)
    expect(arena.level.monsters.map(({ hp }) => hp).reduce((a, b) => a + b)).toBeLessThan(28)
    expect(arena.level.monsters.length).toBe(2)
  })

  it('drifts slowly and, when popped, poisons an adjacent attacker and nobody from afar: bloat', () => {
    const near = makeSturdyArena()
    near.put('bloat', 1, 0)
    near.pressUntil('east', 30, () => near.level.monsters.length === 0)
    expect(turnsOf(near.player, 'poisoned')).toBeGreaterThan(0)
    const far = makeSturdyArena()
    far.put('bloat', 6, 0).hp = 1
    far.pressUntil('f', 8, () => far.level.monsters.length === 0)
    expect([far.level.monsters.length, turnsOf(far.player, 'poisoned')]).toEqual([0, 0])
  })

  it('hides until a player is two steps away: lurker', () => {
    const arena = makeSturdyArena()
    const lurker = arena.put('lurker', 5, 0)
    arena.press('.')
    expect([names(arena), lurker.mood]).toEqual([[], 'idle'])
    for (let i = 0; i < 3; i++) arena.press('east')
    expect(names(arena)).toEqual(['lurker'])
  })

  it('corrodes armour: acid mound', () => {
    const arena = makeSturdyArena()
    arena.put('acid mound', 1, 0)
    expect(arena.pressUntil('.', 60, () => arena.player.armour.power < 0)).toBe(true)
    for (let i = 0; i < 200; i++) arena.press('.')
    expect(arena.player.armour.power).toBe(-3)
  })

  it('webs its prey from afar and poisons it: spider', () => {
    const arena = makeSturdyArena()
    arena.put('spider', 5, 0)
    expect(arena.pressUntil('.', 10, () => turnsOf(arena.player, 'stuck') > 0)).toBe(true)
    const { cell } = arena.player
    arena.press('west')
    expect(arena.player.cell).toBe(cell)
  })

  it('is slow and strong, and can be outrun: zombie', () => {
    const arena = makeSturdyArena()
    const zombie = arena.put('zombie', 2, 0)
    for (let i = 0; i < 10; i++) arena.press('west')
    expect([arena.player.hp, gapTo(arena, zombie) > 5]).toEqual([9000, true])
  })

  it('hits very hard: ogre', () => {
    const arena = makeSturdyArena()
    arena.put('ogre', 1, 0)
    arena.pressUntil('.', 30, () => arena.player.hp < 9000)
    expect(9000 - arena.player.hp).toBeGreaterThanOrEqual(6)
  })

  it('digs through the rock: rock worm', () => {
    const arena = makeSturdyArena()
    arena.lay(T.wall, 2, -9, 5, 9)
    const worm = arena.put('rock worm', 7, 0)
    engage(worm, arena.player)
    expect(arena.pressUntil('.', 20, () => arena.level.tiles[worm.cell] === T.wall)).toBe(true)
    expect(arena.pressUntil('.', 40, () => arena.player.hp < 9000)).toBe(true)
  })

  it('that stands beside a player follows over the stairs', () => {
    const arena = makeSturdyArena()
    arena.lay(T.stairsDown, 0, 0)
    arena.level.down = arena.player.cell
    const goblin = arena.put('goblin', 1, 0)
    arena.press('.')
    arena.press('>')
    expect(arena.player.depth).toBe(6)
    expect(arena.world.levels.get(6)?.monsters).toContain(goblin)
    expect(Math.abs(goblin.cell - arena.player.cell)).toBeLessThanOrEqual(2 * width)
  })

  it('affects only the player who takes turns', () => {
    const arena = makeArena({ players: 2 })
    arena.put('goblin', 1, 1)
    arena.press('.', 1)
    arena.press('.', 2)
    const other = arena.world.players.get(2)
    const before = JSON.stringify(other)
    for (let i = 0; i < 60 && isAlive(arena.player); i++) arena.press('.', 1)
    expect([arena.player.hp < 40, JSON.stringify(other) === before]).toEqual([true, true])
  })

  it('gives each of several players as many turns between its own as if they were alone', () => {
    const blows = (others: boolean) => {
      const arena = makeSturdyArena({ players: 2 })
      for (const player of arena.world.players.values()) player.hp = 9000
      arena.put('zombie', 0, 1)
      let hurt = 0
      for (let i = 0; i < 40; i++) {
        const { hp } = arena.player
        const { told } = arena.press('.', 1)
        if (arena.player.hp < hp || told.includes('misses you')) hurt++
        if (others) arena.press('.', 2)
      }
      return hurt
    }
    expect(blows(true)).toBe(blows(false))
  })

  it('of stone does not move for players who stand still, however many watch it', () => {
    const arena = makeSturdyArena({ players: 2 })
    const guardian = arena.put('guardian', 3, 0)
    for (let i = 0; i < 8; i++) arena.press('.', 1 + (i % 2))
    const { cell } = guardian
    for (let i = 0; i < 8; i++) arena.press('.', 1 + (i % 2))
    expect(guardian.cell).toBe(cell)
  })
})
