import { describe, expect, it } from 'vitest'
import { kindNumber } from '../../game-server/core/items/kinds.ts'
import { legalKeys } from '../../game-server/core/legal-keys.ts'
import { readKey } from '../../game-server/core/read-key.ts'
import { setTurns } from '../../game-server/core/status.ts'
import { type GameEvent, step } from '../../game-server/core/step.ts'
import { T } from '../../game-server/core/tiles.ts'
import { getPlayer, isAlive } from '../../game-server/core/world.ts'
import { makeArena } from '../support/arena.ts'
import { figure, limitMs } from '../support/figures.ts'
import { playParty } from '../support/play-party.ts'

const everyKey = [
  ...['north', 'east', 'south', 'west', 'northeast', 'southeast', 'southwest', 'northwest'],
  ...['.', 'R', 'S', 'o', 'g', '>', '<', 'f', 'c', 'x', 'look'],
  ...['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '-', '='],
]

describe('the list of legal keys', () => {
  it(
    'is correct: a listed key takes a turn, an unlisted one takes none and is explained',
    () => {
      const lies: string[] = []
      for (let seed = 0; seed < figure(4, 100); seed++) {
        const { world } = playParty({
          seed: `legal ${seed}`,
          players: 2,
          commands: 30 + 25 * (seed % 4),
          depth: 1 + ((seed * 4) % 12),
        })
        for (const { id } of [...world.players.values()].filter(isAlive)) {
          step(world, { is: 'return', player: id }, [])
          const legal = legalKeys(world, id).map(({ key }) => key)
          for (const key of everyKey) {
            const copy = structuredClone(world)
            const events: GameEvent[] = []
            const result = step(copy, { is: 'key', player: id, key }, events)
            const isListed = legal.includes(key)
            const isSpent = result.ok && result.spent > 0
            const isExplained = events.some((event) => event.to === id)
            if (key === 'look' ? !isListed || isSpent : isListed ? !isSpent : isSpent || !isExplained)
              lies.push(`${world.seed}: ${key} for ${getPlayer(world, id).name}`)
          }
        }
      }
      expect(lies).toEqual([])
    },
    limitMs(600_000, 900_000),
  )

  it('never reveals hidden things', () => {
    const arena = makeArena()
    const open = legalKeys(arena.world, 1)
    arena.put('lurker', 1, 0, 'asleep')
    arena.lay(T.hiddenTrap, 0, 1)
    expect(legalKeys(arena.world, 1)).toEqual(open)
  })

  it('offers a rest to players who are hurt or ill, and to nobody else', () => {
    const arena = makeArena()
    const rest = () => legalKeys(arena.world, 1).some(({ key }) => key === 'R')
    expect(rest()).toBe(false)
    setTurns(arena.player, 'poisoned', 5)
    expect(rest()).toBe(true)
    setTurns(arena.player, 'poisoned', 0)
    arena.player.hp--
    expect(rest()).toBe(true)
  })

  it('says what a step or an item will do: a floating player does not fall, and one of a stack is used at a time', () => {
    const arena = makeArena()
    const doesOf = (wanted: string) => legalKeys(arena.world, 1).find(({ key }) => key === wanted)?.does
    arena.lay(T.chasm, 1, 0)
    expect(doesOf('east')).toBe('jump into the chasm, one level down')
    setTurns(arena.player, 'floating', 5)
    expect(doesOf('east')).toBe('float')
    const one = doesOf(arena.give('healing'))
    arena.player.pack.shift()
    expect(one).toMatch(/^drink /)
    expect(doesOf(arena.give('healing', { count: 3 }))).toBe(one)
  })

  it('offers an altar until it was used, and what lies here when the pack is full', () => {
    const arena = makeArena()
    const doesOf = (wanted: string) => legalKeys(arena.world, 1).find(({ key }) => key === wanted)?.does
    expect([doesOf('c'), doesOf('x')]).toEqual([undefined, undefined])
    arena.level.altars.set(arena.player.cell, { kind: 0, taken: 0 })
    expect(doesOf('c')).toBe('commune: lose 6 maximum health; your weapon and armour improve by 1')
    arena.press('c')
    expect(doesOf('c')).toBeUndefined()
    for (let things = 0; things < 12; things++) arena.give('echo')
    arena.drop('haste', 0, 0)
    expect(doesOf('x')).toMatch(/^throw away .* and take what lies here$/)
  })

  it('is empty for dead players', () => {
    const arena = makeArena()
    arena.player.hp = 1
    arena.put('ogre', 1, 0)
    arena.pressUntil('.', 60, () => !isAlive(arena.player))
    expect(legalKeys(arena.world, 1)).toEqual([])
    expect(step(arena.world, { is: 'key', player: 1, key: '.' }, [])).toEqual({ ok: false, error: 'dead' })
  })
})

describe('a key', () => {
  it.each([
    ['ArrowUp', 'north'],
    ['up', 'north'],
    ['w', 'north'],
    ['k', 'north'],
    ['NORTH', 'north'],
    ['a', 'west'],
    ['s', 'south'],
    ['d', 'east'],
    ['NE', 'northeast'],
    ['north_west', 'northwest'],
    ['Numpad3', 'southeast'],
    ['Home', 'northwest'],
    [' ', '.'],
    ['wait', '.'],
    ['S', 'S'],
    ['S\n', 'S'],
    [' s ', 'south'],
    [' North ', 'north'],
    ['search', 'S'],
    ['r', 'R'],
    ['O', 'o'],
    ['explore', 'o'],
    ['descend', '>'],
    ['fire', 'f'],
    ['look', 'look'],
    ['=', '='],
  ])('may be called %s: it means %s', (text, key) => {
    expect(readKey(text)).toBe(key)
  })

  it.each([['xyzzy'], [''], ['F5'], ['constructor'], ['__proto__'], ['north east'], ['11']])('is not %j', (text) => {
    expect(readKey(text)).toBeUndefined()
    expect(step(makeArena().world, { is: 'key', player: 1, key: text }, [])).toEqual({ ok: false, error: 'bad-key' })
  })
})

describe('a macro key', () => {
  it('explores until something comes into view, and says what blocks it', () => {
    const arena = makeArena()
    arena.lay(T.wall, 3, -9, 3, 8)
    arena.put('goblin', 10, 0, 'idle')
    expect(arena.press('o').spent).toBeGreaterThan(3)
    expect(arena.press('o')).toMatchObject({ spent: 0, told: expect.stringContaining('a goblin in view') })
  })

  it('travels one step at a time while enemies watch, so that players can flee with it', () => {
    const arena = makeArena()
    arena.lay(T.stairsDown, -8, 0)
    arena.level.down = arena.at(-8, 0)
    arena.put('zombie', 4, 0)
    arena.press('.')
    expect([arena.press('>').spent, arena.player.cell]).toEqual([1, arena.at(-1, 0)])
  })

  it('goes around known traps, chasms and deep water', () => {
    const arena = makeArena()
    arena.lay(T.wall, -3, -9, -3, 9)
    arena.lay(T.knownTrap, -3, 0)
    arena.lay(T.chasm, -3, 1)
    arena.lay(T.deepWater, -3, 2)
    arena.drop('haste', -6, 0)
    arena.occupy(1, arena.player.cell)
    expect(arena.press('g').told).toContain('Nothing that you know of')
    arena.lay(T.floor, -3, 5)
    expect(arena.press('g').told).toContain('You pick up')
  })

  it('rests until the player is well, and not a turn longer', () => {
    const arena = makeArena()
    arena.player.hp = 36
    arena.press('R')
    expect(arena.player.hp).toBe(40)
    expect(arena.press('R')).toEqual({ spent: 0, told: 'You are as healthy as you can be.' })
  })

  it('does not explore treasuries, which the player enters by hand', () => {
    const arena = makeArena()
    arena.drop('force', 3, 0, { vault: 2, power: 4 })
    arena.press('o')
    expect(arena.player.pack.map(({ kind }) => kind)).toEqual([kindNumber('healing')])
  })
})
