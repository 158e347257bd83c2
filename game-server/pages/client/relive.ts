import { hashWorld } from '../../core/hash-world.ts'
import { type GameEvent, step } from '../../core/step.ts'
import { makeWorld } from '../../core/world.ts'
import type { DungeonView } from './dungeon-view.ts'
import type { Effects } from './effects.ts'
import type { Message } from './message-log.ts'
import type { Run } from './read-run.ts'
import { makeWorldScreen } from './world-screen.ts'

/** A replay of a life that can go to any of its commands. */
export interface Relived {
  /** How many commands were carried out so far. */
  readonly at: () => number
  /** Goes to the state after `at` commands; returns the messages on the way, the newest last. */
  readonly goTo: (at: number) => readonly Message[]
  readonly figures: () => { readonly depth: number; readonly hp: number; readonly maxHp: number; readonly turn: number }
  /** Whether the final world has the recorded hash; undefined before the end. */
  readonly isTrue: () => boolean | undefined
}

/** Of a long jump, only the messages of the last commands are returned. */
const kept = 12

/** Replays a run. Going back replays it from the beginning, because commands cannot be undone. */
export function relive(run: Run, view: DungeonView, effects: Effects): Relived {
  let life = begin()

  function begin() {
    const world = makeWorld(run.seed, run.rules)
    return { world, screen: makeWorldScreen(world, run.player, view, effects), at: 0, hash: '' }
  }

  function stepOnce(isShown: boolean): readonly Message[] {
    const command = run.commands[life.at]
    if (!command) return []
    const events: GameEvent[] = []
    step(life.world, command, events)
    life.at += 1
    if (!life.world.players.has(run.player)) return []
    return isShown ? life.screen.show(events) : []
  }

  return {
    at: () => life.at,
    goTo(wanted) {
      if (wanted < life.at) {
        life = begin()
        effects.slides.clear()
      }
      const messages: Message[] = []
      while (life.at < Math.min(wanted, run.commands.length)) messages.push(...stepOnce(wanted - life.at <= kept))
      return messages
    },
    figures() {
      const { depth = 1, hp = 0, maxHp = 0, turn = 0 } = life.world.players.get(run.player) ?? {}
      return { depth, hp, maxHp, turn }
    },
    isTrue() {
      if (life.at < run.commands.length) return undefined
      life.hash ||= hashWorld(life.world)
      return life.hash === run.hash
    },
  }
}
