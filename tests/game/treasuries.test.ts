import { describe, expect, it } from 'vitest'
import { monsterKind } from '../../game-server/core/monsters/kinds.ts'
import { observe } from '../../game-server/core/observe.ts'
import { freeCellBelow, isFree, putPlayer } from '../../game-server/core/place.ts'
import { step } from '../../game-server/core/step.ts'
import { T } from '../../game-server/core/tiles.ts'
import { getPlayer, makeWorld } from '../../game-server/core/world.ts'

/** A world whose first player has just reached depth 2, with no monsters but the guards of the treasury. */
function enterDepthTwo(seed: string) {
  const world = makeWorld(seed)
  step(world, { is: 'join', name: 'Ada', kind: 'human' }, [])
  const player = getPlayer(world, 1)
  const level = putPlayer(world, player, 2, 0)
  for (const monster of level.monsters) if (!monsterKind(monster.kind).isStone) level.occupants[monster.cell] = 0
  level.monsters = level.monsters.filter(({ kind }) => monsterKind(kind).isStone)
  for (const cell of level.traps.keys()) level.tiles[cell] = T.floor
  putPlayer(world, player, 2, level.arrivals[0] ?? level.up)
  const press = (key: string) => {
    // No hunters are sent after the player, however long this takes.
    player.stays = []
    step(world, { is: 'key', player: 1, key }, [])
  }
  const can = (key: string) => observe(world, 1, []).keys.some((each) => each.key === key)
  return { player, level, press, can }
}

describe('treasuries', () => {
  it('are entered on purpose, never by exploring, and their guards never leave', () => {
    for (const seed of ['a', 'b', 'c']) {
      const { player, level, press, can } = enterDepthTwo(seed)
      const before = player.hp
      for (let i = 0; i < 300 && can('o'); i++) press('o')
      expect({ seed, canExplore: can('o'), hp: player.hp }).toEqual({ seed, canExplore: false, hp: before })
      expect(level.treasuries.has(player.cell)).toBe(false)
      expect(level.monsters.every(({ cell }) => level.treasuries.has(cell))).toBe(true)
    }
  })

  it('offer several items, and none of them twice', () => {
    for (let seed = 0; seed < 20; seed++) {
      const { level } = enterDepthTwo(String(seed))
      const offers = Map.groupBy(
        [...level.piles.values()].filter(({ vault }) => vault > 0),
        ({ vault }) => vault,
      )
      for (const [vault, piles] of offers) {
        const kinds = new Set(piles.map(({ kind }) => kind))
        expect({ seed, vault, isChoice: piles.length > 1, kinds: kinds.size }).toMatchObject({
          isChoice: true,
          kinds: piles.length,
        })
      }
    }
  })

  it('are not fallen into: a player who falls from above lands on free ground, even above solid rock', () => {
    const { level } = enterDepthTwo('a')
    const cells = Array.from({ length: 3200 }, (_, cell) => cell).filter((cell) => cell % 7 === 0)
    const landings = cells.map((cell) => freeCellBelow(level, cell))
    expect(landings.every((cell) => isFree(level, cell) && !level.treasuries.has(cell))).toBe(true)
    expect(new Set(landings).size).toBeGreaterThan(100)
  })
})
