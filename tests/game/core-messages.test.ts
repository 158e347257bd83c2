import { describe, expect, it } from 'vitest'
import type { TrapKind } from '../../game-server/core/levels/level-plan.ts'
import { type GameEvent, toText } from '../../game-server/core/scene.ts'
import { step } from '../../game-server/core/step.ts'
import { T } from '../../game-server/core/tiles.ts'
import { makeArena } from '../support/arena.ts'

/** A scene in which pressing `key` shows messages; each of those in `says` is shown with some seed. */
interface Told {
  readonly about: string
  readonly key: string
  readonly set: (arena: ReturnType<typeof makeArena>) => void
  readonly depth?: number
  readonly says: readonly string[]
}

const scenes: readonly Told[] = [
  {
    about: 'finds a trap by searching',
    key: 'S',
    set({ level, lay, at }) {
      for (const [east, kind] of [
        [1, 'alarm'],
        [-1, 'dart'],
      ] as const satisfies readonly (readonly [number, TrapKind])[]) {
        lay(T.hiddenTrap, east, 0)
        level.traps.set(at(east, 0), kind)
      }
    },
    says: ['You find an alarm trap.', 'You find a dart trap.'],
  },
  {
    about: 'is surprised by a monster that rises from the water',
    key: '.',
    set({ lay, put }) {
      lay(T.deepWater, 1, 0)
      put('eel', 1, 0).isHidden = true
    },
    says: ['In front of you rises an eel!', 'In front of ⟦p1⟧ rises an eel!'],
  },
  {
    about: 'is surprised by a monster that waits in a corridor',
    key: '.',
    set: ({ put }) => (put('lurker', 1, 0).isHidden = true),
    says: ['In front of you rises a lurker!', 'In front of ⟦p1⟧ rises a lurker!'],
  },
  {
    about: 'walks into a monster that is hidden',
    key: 'east',
    set({ lay, put }) {
      lay(T.deepWater, 1, 0)
      put('eel', 1, 0).isHidden = true
    },
    says: ['That is no ordinary thing. That is an eel!', '⟦p1⟧ finds an eel.'],
  },
  {
    about: 'stays too long',
    key: '.',
    depth: 10,
    set: ({ player }) => (player.stays[10] = 249),
    says: [
      'You have been noticed: an executor is on its way to see you.',
      'You have been noticed: a liquidator is on its way to see you.',
    ],
  },
  {
    about: 'changes a monster with a wand',
    key: '1',
    depth: 8,
    set(arena) {
      arena.put('ogre', 3, 0)
      arena.give('change', { power: 1 })
    },
    says: ['The ogre is an imp now.', 'The ogre is a troll now.'],
  },
  {
    about: 'steps on gear like their own',
    key: 'east',
    set(arena) {
      arena.give('axe')
      arena.drop('axe', 1, 0)
    },
    says: ['Your axe is as good; this one fetches 10 gold.'],
  },
]

describe('a message with the name of a thing', () => {
  it.each(scenes)('has the article that the name needs when a player $about', ({ key, set, depth = 5, says }) => {
    const told = new Set<string>()
    for (let seed = 0; seed < 200 && !says.every((text) => told.has(text)); seed++) {
      const arena = makeArena({ seed: `message ${seed}`, depth })
      set(arena)
      const events: GameEvent[] = []
      step(arena.world, { is: 'key', player: 1, key }, events)
      for (const event of events) for (const reader of [1, 2]) told.add(toText(event, reader))
    }
    expect([...told]).toEqual(expect.arrayContaining([...says]))
    expect([...told].filter((text) => /\ba [aeiou]/i.test(text))).toEqual([])
  })

  it.each(['leather', 'rings', 'chain', 'plate'])(
    'has no article where the name can have none: %s armour or mail',
    (id) => {
      const arena = makeArena()
      arena.give(id)
      arena.drop(id, 1, 0)
      expect(arena.press('east').told).toMatch(/^Your (leather armour|ring mail|chain mail|plate armour) is as good;/)
    },
  )
})
