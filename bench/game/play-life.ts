import { summarizeLife } from '../../game-server/core/life.ts'
import { observe } from '../../game-server/core/observe.ts'
import { type GameEvent, step } from '../../game-server/core/step.ts'
import { makeWorld } from '../../game-server/core/world.ts'
import type { Bot } from './bots/bot.ts'
import type { Life } from './life.ts'

/** Most decisions of a life; a bot that still lives is stuck or immortal. */
const mostDecisions = 6000

/** Plays one life until the bot dies or leaves the dungeon with the Amulet. */
export function playLife(bot: Bot, seed: string): Life {
  const world = makeWorld(seed)
  const events: GameEvent[] = []
  const joined = step(world, { is: 'join', name: 'Bot', kind: 'agent' }, events)
  if (!joined.ok) throw new Error(`nobody could join world ${seed}`)
  const { player } = joined
  const used: Record<string, number> = {}
  let decisions = 0
  while (decisions < mostDecisions && !summarizeLife(world, player).isOver) {
    const messages = events.filter(({ to }) => to === player || to === 0).map(({ text }) => text)
    const seen = observe(world, player, messages)
    const key = bot(seen)
    const name = nameOfUse(seen.keys.find((each) => each.key === key)?.does ?? '')
    if (name !== undefined) used[name] = (used[name] ?? 0) + 1
    events.length = 0
    const result = step(world, { is: 'key', player, key }, events)
    if (!result.ok) throw new Error(`${key} in world ${seed}: ${result.error}`)
    decisions++
  }
  const { depth, cause, isOver, hasWon, turn, gold, kills } = summarizeLife(world, player)
  return { seed, depth, cause: isOver ? cause : 'gave up', hasWon, decisions, turns: turn, gold, kills, used }
}

/** The item that a key uses, by its name before the use; all unidentified items of a kind get one name. */
function nameOfUse(does: string): string | undefined {
  const [, verb, thing = ''] =
    does.match(/^(drink|read|zap|wield|wear|use|shoot) (?:\d+ x )?(?:[+-]\d+ )?([^(]*)/) ?? []
  if (verb === undefined) return undefined
  const name = thing.trim()
  if (verb === 'shoot') return 'dart or arrow'
  if (verb === 'drink' && !name.startsWith('potion of ')) return 'untried potion'
  if (verb === 'read' && !name.startsWith('scroll of ')) return 'untried scroll'
  if (verb === 'zap' && !name.startsWith('wand of ')) return 'untried wand'
  return name
}
