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

/** For every kind of thing: a scene, and what is true after it was used there. */
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
    'that is worn changes places with what was worn before: %s',
    (id) => {
      const arena = makeArena()
      arena.press(arena.give(id, { power: 1 }))
      const worn = [arena.player.weapon, arena.player.armour].find(({ power }) => power === 1)
      expect(worn?.kind).toBe(kindNumber(id))
      expect(['knife', 'coat']).toContain(itemKinds[arena.player.pack[0]?.kind ?? 0]?.id)
    },
  )
})

describe('a weapon', () => {
  const wielding = (id: string) => {
    const arena = makeArena()
    arena.player.weapon = { kind: kindNumber(id), count: 1, power: 0 }
    arena.player.strength = 20
    arena.player.hp = 900
    return arena
  }
  const hurtOf = ({ level }: Arena) => level.monsters.map(({ hp }) => 55 - hp)

  it('in the right hands ends sleep for good: dagger', () => {
    const arena = wielding('dagger')
    arena.put('goblin', 1, 0, 'asleep')
    arena.press('east')
    expect(arena.level.monsters).toEqual([])
  })

  it('hits everything beside one: axe', () => {
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

  it('stuns now and then: mace', () => {
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
  ])('is worth having: %s over %s', (better, worse, key) => {
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
  const harmIn = (id: string) => {
    const arena = makeArena()
    arena.player.armour = { kind: kindNumber(id), count: 1, power: 0 }
    arena.player.strength = 16
    arena.player.hp = 9000
    const goblin = arena.put('goblin', 1, 0)
    goblin.hp = 9000
    for (let i = 0; i < 300; i++) arena.press('.')
    return { harm: 9000 - arena.player.hp, back: 9000 - goblin.hp }
  }

  it('turns the more blows the heavier it is', () => {
    const harms = ['coat', 'leather', 'rings', 'chain', 'plate'].map((id) => harmIn(id).harm)
    expect(harms).toEqual([...harms].sort((a, b) => b - a))
  })

  it('hurts whoever hits it: coat of thorns', () => {
    expect(harmIn('thorns').back).toBeGreaterThan(100)
  })

  it('lets sleepers sleep: shadow cloak', () => {
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

describe('loot', () => {
  it('is there for everybody once', () => {
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

  it('of a treasury is a choice, for each player their own', () => {
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

  it('that finds no room is explained, and can be had for what is worth least', () => {
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
    expect(arena.press('east').told).toContain('leave +2 axe to make room')
    expect(arena.player.pack.map(({ kind }) => itemKinds[kind]?.id)).toEqual([...wandsAndCharms.slice(1), 'haste'])
  })

  it('hides behind looks of its own in every world, until it is tried', () => {
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

  it('has a name and a hint for every kind, and at least forty kinds', () => {
    expect(itemKinds.length).toBeGreaterThanOrEqual(40)
    expect(new Set(itemKinds.map(({ id }) => id)).size).toBe(itemKinds.length)
    expect(Object.keys(uses).sort()).toEqual(usable.map(({ id }) => id).sort())
  })
})

describe('a status', () => {
  it.each(statusNames.map((status) => [status]))('ends by itself on its owner’s turns alone: %s', (status) => {
    const arena = makeArena({ players: 2 })
    setTurns(arena.player, status, 3)
    for (let i = 0; i < 5; i++) arena.press('.', 2)
    expect(turnsOf(arena.player, status)).toBe(3)
    for (let i = 0; i < 5; i++) arena.press('.', 1)
    expect(turnsOf(arena.player, status)).toBe(0)
  })
})
