import { describe as describeTests, expect, it } from 'vitest'
import { encodeDelta, newView, perceives } from '../../game-server/core/delta.ts'
import { describe } from '../../game-server/core/describe.ts'
import { fov, sightRadius } from '../../game-server/core/fov.ts'
import { getLevel } from '../../game-server/core/get-level.ts'
import { cellCount } from '../../game-server/core/grid.ts'
import { isKnown, knownOn, markKnown, reveal } from '../../game-server/core/known-cells.ts'
import { generateLevel } from '../../game-server/core/levels/generate-level.ts'
import { summarizeLife } from '../../game-server/core/life.ts'
import { observe } from '../../game-server/core/observe.ts'
import { engage } from '../../game-server/core/place.ts'
import { wordsRule } from '../../game-server/core/player-words.ts'
import { makeRng } from '../../game-server/core/prng.ts'
import { type GameEvent, toText } from '../../game-server/core/scene.ts'
import { sightOf } from '../../game-server/core/sight.ts'
import { setTurns } from '../../game-server/core/status.ts'
import { step } from '../../game-server/core/step.ts'
import { glyphOf, isOpaque, isPassable, T } from '../../game-server/core/tiles.ts'
import { getPlayer, isAlive, makeWorld } from '../../game-server/core/world.ts'
import { makeArena } from '../support/arena.ts'
import { figure, limitMs } from '../support/figures.ts'
import { playParty, pressAnything } from '../support/play-party.ts'

const lit = new Uint8Array(cellCount)
const list = new Int16Array(cellCount)

function look(tiles: Uint8Array, cell: number): Set<number> {
  const count = fov(tiles, cell, sightRadius, lit, list)
  const seen = new Set(list.subarray(0, count))
  for (const each of seen) lit[each] = 0
  return seen
}

describeTests('sight', () => {
  it(
    'is mutual between any two open cells',
    () => {
      const unfair: string[] = []
      for (let depth = 1; depth <= 12; depth += figure(3, 1)) {
        const { tiles } = generateLevel('sight', depth)
        const open = Array.from(tiles.keys()).filter((cell) => isPassable(tiles[cell]) && !isOpaque(tiles[cell]))
        const seenFrom = new Map(open.map((cell) => [cell, look(tiles, cell)]))
        for (const [cell, seen] of seenFrom)
          for (const other of seen)
            if (seenFrom.get(other)?.has(cell) === false) unfair.push(`${depth}: ${cell} ${other}`)
      }
      expect(unfair).toEqual([])
    },
    limitMs(600_000, 600_000),
  )

  it('covers the level that the player is on, from the same cell on each level', () => {
    const world = makeWorld('levels')
    step(world, { is: 'join', name: 'Ada', kind: 'human' }, [])
    const player = getPlayer(world, 1)
    for (const depth of [1, 2, 1]) {
      const level = getLevel(world, depth)
      const { cells, count } = sightOf(level, player)
      expect(new Set(cells.subarray(0, count))).toEqual(look(level.tiles, player.cell))
    }
  })
})

/** What a client draws that knows only the messages of one connection. */
function makeScreen() {
  const tiles = new Map<number, string>()
  const parts: Record<string, unknown> = {}
  return {
    tiles,
    parts,
    read(message: string) {
      const { t = [], clear, ...rest } = JSON.parse(message)
      if (clear) tiles.clear()
      for (let i = 0; i < t.length; i += 2) for (const [n, glyph] of [...t[i + 1]].entries()) tiles.set(t[i] + n, glyph)
      if (clear) for (const name of ['e', 'n', 'b', 'i', 'l', 'p', 's']) parts[name] = []
      Object.assign(parts, rest)
    },
  }
}

describeTests('the messages of one connection', () => {
  it(
    'add up to what a newcomer at the same place is shown, and to what the player knows',
    () => {
      for (let seed = 0; seed < figure(8, 100); seed++) {
        const world = makeWorld(`screen ${seed}`)
        const rng = makeRng(world.seed, 'keys')
        for (const name of ['Ada', 'Bo']) step(world, { is: 'join', name, kind: 'agent' }, [])
        const view = newView()
        const screen = makeScreen()
        const events: GameEvent[] = []
        for (let i = 0; i < 150 && [...world.players.values()].every(isAlive); i++) {
          events.length = 0
          step(world, { is: 'key', player: 1 + (i % 2), key: pressAnything(rng, world, 1 + (i % 2)) }, events)
          const message = encodeDelta(world, 1, view, events)
          if (message) screen.read(message)
        }
        const fresh = makeScreen()
        fresh.read(encodeDelta(world, 1, newView(), [], { type: 'snapshot', ack: 7 }) ?? '')
        expect([...screen.tiles].sort(([a], [b]) => a - b)).toEqual([...fresh.tiles].sort(([a], [b]) => a - b))
        for (const name of ['me', 'e', 'n', 'b', 'i', 'l', 'w', 'p', 's'])
          expect([name, screen.parts[name] ?? []]).toEqual([name, fresh.parts[name] ?? []])
        const player = world.players.get(1)
        const known = player?.known.get(player.depth) ?? new Uint32Array()
        const cells = Array.from({ length: cellCount }, (_, cell) => cell).filter((cell) => isKnown(known, cell))
        expect([...screen.tiles.keys()].sort((a, b) => a - b)).toEqual(cells)
      }
    },
    limitMs(600_000, 600_000),
  )

  it('are empty when nothing happened, and short when little did', () => {
    const arena = makeArena()
    const view = newView()
    encodeDelta(arena.world, 1, view, [])
    expect(encodeDelta(arena.world, 1, view, [])).toBeUndefined()
    expect(encodeDelta(arena.world, 1, view, [], { ack: 3 })).toBe('{"type":"delta","seq":2,"ack":3}')
    arena.press('.')
    expect(encodeDelta(arena.world, 1, view, [], { ack: 4 })?.length).toBeLessThan(100)
  })

  it('show a cell again when another player has changed it', () => {
    const arena = makeArena({ players: 2 })
    arena.lay(T.tallGrass, 2, 0)
    const view = newView()
    const screen = makeScreen()
    screen.read(encodeDelta(arena.world, 1, view, []) ?? '')
    expect(screen.tiles.get(arena.at(2, 0))).toBe(';')
    arena.press('east', 2)
    screen.read(encodeDelta(arena.world, 1, view, []) ?? '')
    expect(screen.tiles.get(arena.at(2, 0))).toBe('"')
  })
})

describeTests('what a player is shown', () => {
  it(
    'never contains the seed, the random state, or anybody out of sight',
    () => {
      for (let seed = 0; seed < figure(10, 100); seed++) {
        const { world } = playParty({ seed: `secret-${seed}-secret`, players: 3, commands: 90, depth: 1 + (seed % 12) })
        for (const player of [...world.players.values()].filter((each) => isAlive(each) && each.isHere)) {
          const shown = [
            describe(world, player.id, [], { full: true }),
            JSON.stringify(observe(world, player.id, [])),
            encodeDelta(world, player.id, newView(), []),
          ].join('\n')
          expect(shown).not.toMatch(/secret|energy|"dice"|isHidden/)
          const tiles = world.levels.get(player.depth)?.tiles ?? new Uint8Array()
          const seen = look(tiles, player.cell)
          const isTelepathic = shown.includes('telepathic')
          for (const { x, y } of observe(world, player.id, []).entities)
            expect(isTelepathic || seen.has(y * 80 + x)).toBe(true)
        }
      }
    },
    limitMs(600_000, 600_000),
  )

  it('as text is short: a map of at most 41 by 21, and every key that works', () => {
    const arena = makeArena()
    arena.put('goblin', 4, -3)
    arena.drop('gold', 2, 2, { count: 12 })
    const text = describe(arena.world, 1, ['You sneeze.'])
    const rows = text.split('\n')
    const from = rows.findIndex((row) => row.startsWith('MAP'))
    const to = rows.findIndex((row) => row.startsWith('IN VIEW'))
    expect(to - from - 1).toBeLessThanOrEqual(21)
    expect(Math.max(...rows.slice(from + 1, to).map((row) => row.length))).toBeLessThanOrEqual(41)
    expect(text).toContain('* You sneeze.')
    expect(text).toContain('IN VIEW: goblin g 4 NE')
    expect(text).toMatch(/KEYS: .*f=shoot at goblin/)
    expect(text.length).toBeLessThan(2600)
  })

  it('as text has lines for events, creatures in view, items on the floor, the pack and possible actions', () => {
    const arena = makeArena({ players: 2 })
    arena.level.tiles.fill(T.wall)
    arena.lay(T.floor, -1, -1, 3, 1)
    arena.lay(T.grass, 3, 1)
    for (const [id, east] of [
      [1, 0],
      [2, -1],
    ] as const) {
      getPlayer(arena.world, id).known.clear()
      arena.occupy(id, arena.at(east, 0))
    }
    arena.player.known.set(5, new Uint32Array(cellCount / 32))
    reveal(arena.level, arena.player)
    arena.level.altars.set(arena.player.cell, { kind: 0, taken: 0 })
    arena.drop('gold', 1, 1, { count: 12 })
    arena.drop('sword', 2, 1, { vault: 3 })
    arena.put('goblin', 3, 0, 'asleep').hp = 3
    setTurns(arena.player, 'burning', 2)
    const told = () => describe(arena.world, 1, ['You sneeze.']).split('\n')
    const before = (line: string) => !line.startsWith('KEYS')
    expect(told().filter(before)).toEqual([
      'DEPTH 5  TURN 0  HP 40/40  STR 11  GOLD 0  SCORE 5000  YOU @ (40,20)',
      wordsRule,
      '* You sneeze.',
      'STATUS: burning 2',
      'MAP (origin x=38, y=18; @ you, & other player, # wall, . floor, " grass (hides you))',
      '#######',
      '#.....#',
      '#&@..g#',
      '#..$)"#',
      '#######',
      'IN VIEW: ⟦p2⟧ & 1 W (39,20) human; goblin g 3 E (43,20) hp 20% asleep',
      'HERE: altar of blood',
      'ITEMS: gold SE (41,21); sword E (42,21) choose one',
      "WIELDING: knife  WEARING: traveller's coat",
      'PACK: 1=2 x potion of healing',
    ])
    expect(told().at(-1)).toMatch(/^KEYS: north /)
    arena.player.pack.length = 0
    setTurns(arena.player, 'burning', 0)
    arena.level.piles.clear()
    arena.level.altars.clear()
    arena.level.monsters.length = 0
    getPlayer(arena.world, 2).isHere = false
    expect(told().slice(8, -1)).toEqual([
      'IN VIEW: nobody',
      "WIELDING: knife  WEARING: traveller's coat",
      'PACK: empty',
    ])
  })

  it('as text covers twenty cells across and ten along, and the whole level when asked for', () => {
    const arena = makeArena()
    const known = knownOn(arena.player, 5)
    for (let y = 3; y <= 36; y++) for (let x = 5; x <= 75; x++) markKnown(known, y * 80 + x)
    const mapOf = (full: boolean) => {
      const rows = describe(arena.world, 1, [], { full }).split('\n')
      const from = rows.findIndex((row) => row.startsWith('MAP'))
      const map = rows.slice(
        from + 1,
        rows.findIndex((row) => row.startsWith('IN VIEW')),
      )
      return [rows[from]?.match(/origin x=\d+, y=\d+/)?.[0], map.length, Math.max(...map.map((row) => row.length))]
    }
    expect(mapOf(false)).toEqual(['origin x=20, y=10', 21, 41])
    expect(mapOf(true)).toEqual(['origin x=5, y=3', 34, 71])
    arena.occupy(1, arena.at(-18, -9))
    expect(mapOf(false)).toEqual(['origin x=5, y=3', 19, 38])
    arena.occupy(1, arena.at(18, 8))
    expect(mapOf(false)).toEqual(['origin x=38, y=18', 19, 38])
  })

  it('states the intent of everybody in view', () => {
    const arena = makeArena({ players: 2 })
    arena.put('goblin', 0, 2, 'asleep')
    arena.put('ogre', 0, 3)
    const hunting = arena.put('kobold', 0, 4)
    const fighting = arena.put('jackal', 0, 5)
    const helpless = arena.put('troll', 0, 6)
    const fleeing = arena.put('monkey', 0, 7)
    arena.put('guardian', 0, 8)
    for (const monster of [hunting, helpless, fleeing]) engage(monster, arena.player)
    engage(fighting, getPlayer(arena.world, 2))
    helpless.stunned = 1
    fleeing.scared = 1
    const [, ...monsters] = observe(arena.world, 1, []).entities
    expect(monsters.map(({ name, st }) => `${name} ${st}`)).toEqual([
      'goblin asleep',
      'ogre idle',
      'kobold hunting you',
      'jackal fighting',
      'troll helpless',
      'monkey fleeing',
      'guardian watching',
    ])
  })

  it('rounds health up, so that nobody alive appears to have none left', () => {
    const arena = makeArena({ players: 2 })
    const other = getPlayer(arena.world, 2)
    const goblin = arena.put('goblin', 0, 2)
    const healths = () => observe(arena.world, 1, []).entities.map(({ hp }) => hp)
    expect(healths()).toEqual([100, 100])
    other.hp = 1
    goblin.hp = 1
    expect(healths()).toEqual([Math.ceil(100 / other.maxHp), 7])
  })

  it('is the lit part of the level around the player, cut at its edges', () => {
    const arena = makeArena()
    const { x, y, rows } = observe(arena.world, 1, []).view
    expect([x, y, rows.length, rows[0]?.length]).toEqual([31, 11, 19, 19])
    expect([rows[9], rows[0]?.[0]]).toEqual(['.........@.........', ' '])
    arena.level.tiles.fill(T.floor)
    const cutTo = (cell: number) => {
      arena.occupy(1, cell)
      const { view } = observe(arena.world, 1, [])
      return [view.x, view.y, view.rows.length, view.rows[0]?.length]
    }
    expect(cutTo(0)).toEqual([0, 0, 10, 10])
    expect(cutTo(cellCount - 1)).toEqual([70, 30, 10, 10])
  })

  it('describes what is in view and on the floor to people with a picture as fully as to models', () => {
    const arena = makeArena({ players: 2 })
    arena.drop('healing', 1, 1)
    arena.drop('strength', 2, 1)
    arena.drop('gold', 3, 1, { count: 12 })
    for (const east of [4, 5]) arena.drop('sword', east, 1, { power: east, vault: 1 })
    arena.put('mimic', 6, 1).isHidden = true
    arena.put('goblin', 0, 2).stunned = 3
    arena.put('goblin', 0, 3).scared = 3
    arena.put('guardian', 0, 4)
    engage(arena.put('goblin', 0, 5), getPlayer(arena.world, 2))
    arena.put('goblin', 0, 6)
    const { entities, items } = observe(arena.world, 1, [])
    const { b, l } = JSON.parse(encodeDelta(arena.world, 1, newView(), []) ?? '')
    expect(l).toEqual(items.flatMap(({ x, y, name, isChoice }) => [y * 80 + x, name, isChoice ? 1 : 0]))
    const said = entities.filter(({ id }) => id > 0).map(({ id, st }) => [id, st])
    expect(b).toEqual(said.slice(0, -1).flat())
  })

  it('does not reveal by the order of the items which of them is a mimic', () => {
    const arena = makeArena()
    arena.drop('healing', 2, 0)
    arena.put('mimic', 1, 0).isHidden = true
    arena.drop('gold', -1, 0)
    const places = observe(arena.world, 1, []).items.map(({ x }) => x - 40)
    expect(places).toEqual([-1, 1, 2])
    const { i } = JSON.parse(encodeDelta(arena.world, 1, newView(), []) ?? '')
    expect(i.filter((_: unknown, at: number) => at % 2 === 0)).toEqual([-1, 1, 2].map((east) => arena.at(east, 0)))
  })

  it('does not reveal a mimic by an empty wand, which never lies about, even to a player who knows the wand', () => {
    const arena = makeArena()
    arena.player.identified.fill(1)
    for (const east of [1, 2, 3, 4]) arena.put('mimic', east, 0).isHidden = true
    const names = observe(arena.world, 1, []).items.map(({ name }) => name)
    expect(names.join()).toMatch(/wand of force \([3-5] left\)/)
    expect(new Set(names).size).toBe(4)
  })

  it('shows other players who are present, alive and in the light, and no others', () => {
    const arena = makeArena({ players: 2 })
    const other = getPlayer(arena.world, 2)
    const names = () => {
      const { n } = JSON.parse(encodeDelta(arena.world, 1, newView(), []) ?? '')
      const seen = observe(arena.world, 1, []).entities.map(({ name }) => name)
      expect(n ?? []).toEqual(seen.length > 0 ? [-2, 'p2'] : [])
      return seen
    }
    expect(names()).toEqual(['⟦p2⟧'])
    arena.occupy(2, arena.at(5, 0))
    arena.lay(T.wall, 2, -9, 2, 9)
    expect(names()).toEqual([])
    arena.occupy(2, arena.at(1, 0))
    other.depth++
    expect(names()).toEqual([])
    other.depth--
    other.isHere = false
    expect(names()).toEqual([])
    other.isHere = true
    other.hp = 0
    other.ending = 'killed by a rat'
    expect(names()).toEqual([])
  })

  it('words an event differently for the player who caused it and for those who watched', () => {
    const arena = makeArena({ players: 2 })
    arena.put('goblin', 0, 1, 'asleep').stunned = 5
    const events: GameEvent[] = []
    step(arena.world, { is: 'key', player: 1, key: 'south' }, events)
    const told = (id: number) =>
      events.filter((event) => perceives(arena.world, id, event)).map((event) => toText(event, id))
    expect(told(1).join()).toContain('You stab the goblin')
    expect(told(2).join()).toContain('⟦p1⟧ stabs the goblin')
    arena.lay(T.wall, 2, -9, 2, 9)
    arena.occupy(2, arena.at(5, 0))
    expect(told(2)).toEqual([])
    expect(told(1).join()).toContain('You stab the goblin')
  })

  it('hides from others what concerns one player alone', () => {
    const arena = makeArena({ players: 2 })
    const events: GameEvent[] = []
    step(arena.world, { is: 'key', player: 1, key: '9' }, events)
    expect([1, 2].map((id) => events.filter((event) => perceives(arena.world, id, event)).length)).toEqual([1, 0])
  })

  it('sums a life up: depth, gold, kills, and how it ended', () => {
    const arena = makeArena({ depth: 4 })
    arena.player.gold = 25
    expect(summarizeLife(arena.world, 1)).toEqual({
      name: 'p1',
      kind: 'human',
      cause: '',
      isOver: false,
      hasWon: false,
      depth: 4,
      turn: 0,
      gold: 25,
      kills: 0,
      score: 4050,
    })
  })
})

describeTests('tiles', () => {
  it('have distinct letters, except for hidden ones', () => {
    const shown = Object.values(T).filter((tile) => tile !== T.secretDoor && tile !== T.hiddenTrap)
    expect(new Set(shown.map(glyphOf)).size).toBe(shown.length)
    expect([glyphOf(T.secretDoor), glyphOf(T.hiddenTrap)]).toEqual([glyphOf(T.wall), glyphOf(T.floor)])
  })
})
