import { hashWorld } from '../../core/hash-world.ts'
import { type GameEvent, step } from '../../core/step.ts'
import { makeWorld } from '../../core/world.ts'
import type { DungeonView } from './dungeon-view.ts'
import type { Effects } from './effects.ts'
import type { Message } from './message-log.ts'
import type { Run } from './read-run.ts'
import { makeWorldScreen } from './world-screen.ts'

/** A life that can be gone through, forwards and to any place. */
export interface Relived {
  /** Commands carried out so far. */
  readonly at: () => number
  /** Carries out what is next, up to a command. What is told of it comes back, the newest last. */
  readonly goTo: (at: number) => readonly Message[]
  readonly figures: () => { readonly depth: number; readonly hp: number; readonly maxHp: number; readonly turn: number }
  /** Whether this browser came to the recorded world; undefined before the end. */
  readonly isTrue: () => boolean | undefined
}

/** Messages of a long jump that are still worth reading. */
const kept = 12

/**
 * Lives a run again. Going back begins again from nothing and is as quick as it is far; there is no other way that
 * could not differ from what happened.
 */
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
