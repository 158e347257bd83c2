import { describe, expect, it } from 'vitest'
import { distance } from '../../game-server/core/grid.ts'
import { itemKinds, kindNumber } from '../../game-server/core/items/kinds.ts'
import { monsterNumber } from '../../game-server/core/monsters/kinds.ts'
import { observe } from '../../game-server/core/observe.ts'
import { type Status, setTurns, statusNames, turnsOf } from '../../game-server/core/status.ts'
import { T } from '../../game-server/core/tiles.ts'
import { makeArena } from '../support/arena.ts'

type Arena = ReturnType<typeof makeArena>

const knownCells = ({ player, level }: Arena): number =>
  Array.from(player.known.get(level.depth) ?? [], (word) => word.toString(2).replaceAll('0', '').length).reduce(
    (sum, bits) => sum + bits,
    0,
  )

const lasts =
  (status: Status) =>
  ({ player }: Arena) =>
    turnsOf(player, status) > 0

/** For every kind of item: a scene, and what must hold after the item was used there. */
const uses: Record<string, { set?: (arena: Arena) => void; power?: number; shows: (arena: Arena) => boolean }> = {
  healing: {
    set: ({ player }) => {
      player.hp = 5
      setTurns(player, 'poisoned', 20)
    },
    shows: ({ player }) => player.hp > 25 && turnsOf(player, 'poisoned') === 0,
  },
  life: {
    set: ({ player }) => {
      player.hp = 5
    },
    shows: ({ player }) => player.maxHp === 50 && player.hp === 50,
  },
  strength: { shows: ({ player }) => player.strength === 12 },
  telepathy: {
    set: (arena) => {
      arena.lay(T.wall, 4, -9, 4, 9)
      arena.put('goblin', 8, 0, 'asleep')
    },
    shows: ({ world }) => observe(world, 1, []).entities.some(({ name }) => name === 'goblin'),
  },
  feathers: { shows: lasts('floating') },
  haste: { shows: lasts('hasted') },
  fire: {
    set: (arena) => {
      arena.put('ogre', 1, 0, 'asleep')
    },
    shows: ({ level, player }) => (level.monsters[0]?.hp ?? 0) < 45 && turnsOf(player, 'burning') > 0,
  },
  venom: { shows: lasts('poisoned') },
  muddle: { shows: lasts('confused') },
  ink: { shows: (arena) => observe(arena.world, 1, []).view.rows.length === 3 },
  stone: { shows: lasts('shielded') },
  greed: {
    set: (arena) => arena.drop('haste', 16, 8),
    shows: ({ world }) => observe(world, 1, []).items.length === 1,
  },
  enchanting: {
    set: ({ player }) => {
      player.weapon.power = 1
    },
    shows: ({ player }) => player.weapon.power === 1 && player.armour.power === 1,
  },
  insight: {
    set: ({ player }) => {
      player.pack.push({ kind: kindNumber('haste'), count: 1, power: 0 })
    },
    shows: ({ world }) => observe(world, 1, []).you.pack.includes('potion of haste'),
  },
  elsewhere: { shows: ({ player, at }) => player.cell !== at(0, 0) },
  mapping: { shows: (arena) => knownCells(arena) > 700 },
  slumber: {
    set: (arena) => {
      arena.put('ogre', 2, 0)
    },
    shows: (arena) => {
      for (let i = 0; i < 5; i++) arena.press('.')
      return arena.player.hp === 40
    },
  },
  dread: {
    set: (arena) => {
      arena.put('ogre', 2, 0)
    },
    shows: (arena) => {
      for (let i = 0; i < 9; i++) arena.press('.')
      return distance(arena.level.monsters[0]?.cell ?? 0, arena.player.cell) > 3
    },
  },
  company: { shows: ({ level }) => level.monsters.length === 2 },
  uproar: {
    set: (arena) => {
      arena.lay(T.wall, 4, -9, 4, 9)
      arena.put('ogre', 9, 0, 'asleep')
    },
    shows: ({ level }) => level.monsters[0]?.mood === 'hunting',
  },
  cleansing: {
    set: ({ player }) => setTurns(player, 'confused', 20),
    shows: ({ player }) => turnsOf(player, 'confused') === 0,
  },
  edge: { shows: ({ player }) => player.weapon.power === 1 },
  mail: { shows: ({ player }) => player.armour.power === 1 },
  refilling: {
    set: ({ player }) => {
      player.pack.push({ kind: kindNumber('force'), count: 1, power: 0 })
    },
    shows: ({ player }) => player.pack.some(({ kind, power }) => kind === kindNumber('force') && power === 2),
  },
  force: {
    power: 3,
    set: (arena) => {
      arena.put('troll', 4, 0, 'asleep')
    },
    shows: ({ level, player }) => (level.monsters[0]?.hp ?? 0) < 50 && player.pack[0]?.power === 2,
  },
  sloth: {
    power: 3,
    set: (arena) => {
      arena.put('troll', 4, 0, 'asleep')
    },
    shows: ({ level }) => (level.monsters[0]?.slowed ?? 0) > 20,
  },
  change: {
    power: 3,
    set: (arena) => {
      arena.put('Foreman', 4, 0, 'asleep')
    },
    shows: ({ level }) => level.monsters[0]?.kind !== monsterNumber('Foreman'),
  },
  away: {
    power: 3,
    set: (arena) => {
      arena.put('troll', 1, 0, 'asleep')
    },
    shows: ({ level, at }) => level.monsters[0]?.cell !== at(1, 0),
  },
  flame: {
    power: 3,
    set: (arena) => {
      arena.put('troll', 4, 0, 'asleep')
      arena.put('troll', 5, 0, 'asleep')
    },
    shows: ({ level }) => level.monsters.every(({ hp }) => hp < 55),
  },
  frost: {
    power: 3,
    set: (arena) => {
      arena.put('troll', 4, 0)
    },
    shows: (arena) => {
      for (let i = 0; i < 5; i++) arena.press('.')
      return arena.level.monsters[0]?.cell === arena.at(4, 0)
    },
  },
  leech: {
    power: 3,
    set: (arena) => {
      arena.player.hp = 5
      arena.put('troll', 4, 0, 'asleep')
    },
    shows: ({ level, player }) => (level.monsters[0]?.hp ?? 0) < 55 && player.hp > 10,
  },
  twins: {
    power: 3,
    set: (arena) => {
      arena.put('goblin', 6, 0, 'asleep')
    },
    shows: ({ level }) => level.monsters.length === 2,
  },
  mending: {
    set: ({ player }) => {
      player.hp = 5
    },
    shows: ({ player }) => player.hp >= 17 && (player.pack[0]?.power ?? 0) > 100,
  },
  blinking: { shows: ({ player, at }) => distance(player.cell, at(0, 0)) === 5 },
  warding: { shows: lasts('shielded') },
  fright: {
    set: (arena) => {
      arena.put('ogre', 2, 0)
    },
    shows: ({ level }) => (level.monsters[0]?.scared ?? 0) > 5,
  },
  lantern: {
    set: (arena) => {
      arena.lay(T.hiddenTrap, 8, 5)
    },
    shows: ({ level, at }) => level.tiles[at(8, 5)] === T.knownTrap,
  },
  echo: { shows: lasts('telepathic') },
}

const usable = itemKinds.filter(({ group }) => ['potion', 'scroll', 'wand', 'charm'].includes(group))

describe('every item', () => {
  it.each(usable.map(({ id, name, group }) => [group, name, id]))('does what it says: %s of %s', (_, __, id) => {
    const arena = makeArena()
    const use = uses[id]
    if (!use) throw new Error(`nobody has said what ${id} does`)
    use.set?.(arena)
    const key = arena.give(id, { power: use.power ?? 0 })
    expect(arena.press(key).spent).toBe(1)
    expect(use.shows(arena)).toBe(true)
    expect(
      arena.player.identified[kindNumber(id)] === 1 || ['charm'].includes(itemKinds[kindNumber(id)]?.group ?? ''),
    ).toBe(true)
  })

  it.each(itemKinds.filter(({ group }) => group === 'weapon' || group === 'armour').map(({ id }) => [id]))(
    'that is worn is swapped with the one worn before: %s',
    (id) => {
      const arena = makeArena()
      arena.press(arena.give(id, { power: 1 }))
      const worn = [arena.player.weapon, arena.player.armour].find(({ power }) => power === 1)
      expect(worn?.kind).toBe(kindNumber(id))
      expect(['knife', 'coat']).toContain(itemKinds[arena.player.pack[0]?.kind ?? 0]?.id)
    },
  )

  it('has a name and a hint for every kind, and there are at least forty kinds', () => {
    expect(itemKinds.length).toBeGreaterThanOrEqual(40)
    expect(new Set(itemKinds.map(({ id }) => id)).size).toBe(itemKinds.length)
    expect(Object.keys(uses).sort()).toEqual(usable.map(({ id }) => id).sort())
  })
})

it('lets a charm be used again when it has recharged, and not a turn before', () => {
  const arena = makeArena()
  const key = arena.give('echo')
  arena.press(key)
  for (let i = 1; i < 149; i++) arena.press('.')
  expect([arena.player.pack[0]?.power, arena.press(key)]).toEqual([1, { spent: 0, told: 'It sleeps for 1 more turn.' }])
})

describe('a status', () => {
  it.each(statusNames.map((status) => [status]))('wears off in turns of its owner alone: %s', (status) => {
    const arena = makeArena({ players: 2 })
    setTurns(arena.player, status, 3)
    for (let i = 0; i < 5; i++) arena.press('.', 2)
    expect(turnsOf(arena.player, status)).toBe(3)
    const told = Array.from({ length: 5 }, () => arena.press('.', 1).told).join('\n')
    expect(turnsOf(arena.player, status)).toBe(0)
    expect(told.split(`You are no longer ${status}.`)).toHaveLength(2)
  })
})
