import { describe, expect, it } from 'vitest'
import type { Command } from '../../game-server/core/step.ts'
import type { Pile, Player, World } from '../../game-server/core/world.ts'
import { figure, limitMs } from '../support/figures.ts'
import { playParty } from '../support/play-party.ts'

/** The state that belongs to a player alone: all but position and known map, which others' actions may change. */
function belongings(player: Player): string {
  const { cell: _, known: __, ...own } = player
  return JSON.stringify(own)
}

/** All piles on the floor, each with the bits of the other players who have already taken from it. */
function lootOfOthers(world: World, id: number): Map<Pile, number> {
  const loot = new Map<Pile, number>()
  for (const { piles } of world.levels.values())
    for (const pile of piles.values()) loot.set(pile, pile.taken & ~(1 << (id - 1)))
  return loot
}

/** Whether every pile that lay there before is still there, unchanged for all other players. */
function isStillThere(world: World, id: number, before: Map<Pile, number>): boolean {
  const after = lootOfOthers(world, id)
  return [...before].every(([pile, taken]) => after.get(pile) === taken)
}

function knownCells(player: Player): number {
  return [...player.known.values()].reduce((sum, bits) => sum + bits.reduce((all, word) => all + word, 0), 0)
}

const actorOf = (command: Command): number => (command.is === 'join' ? 0 : command.player)

describe('what one player does', () => {
  it(
    'changes nothing that belongs to another player, in any world, at any speed',
    () => {
      const harm: string[] = []
      for (let seed = 0; seed < figure(100, 1000); seed++) {
        playParty({
          seed: `fair ${seed}`,
          players: 8,
          commands: figure(50, 250),
          depth: 1 + (seed % 12),
          around: (world, command, run) => {
            const id = actorOf(command)
            const others = [...world.players.values()].filter((player) => player.id !== id)
            const before = others.map(belongings).join()
            const seen = others.map(knownCells)
            const loot = lootOfOthers(world, id)
            run()
            const isFair =
              others.map(belongings).join() === before &&
              others.every((player, index) => knownCells(player) >= (seen[index] ?? 0)) &&
              isStillThere(world, id, loot)
            if (!isFair) harm.push(`${world.seed}: ${JSON.stringify(command)}`)
          },
        })
      }
      expect(harm).toEqual([])
    },
    limitMs(600_000, 900_000),
  )
})
