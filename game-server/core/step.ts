import { press } from './actions/press.ts'
import { getLevel } from './get-level.ts'
import { reveal } from './known-cells.ts'
import { makePlayer, mostPlayers } from './make-player.ts'
import { liftPlayer, putPlayer } from './place.ts'
import { quoteWords } from './player-words.ts'
import { type GameEvent, type Scene, show } from './scene.ts'
import { isAlive, type Player, type World } from './world.ts'

export type { GameEvent } from './scene.ts'

export type Command =
  | { is: 'join'; name: string; kind: 'human' | 'agent'; dice?: string }
  | { is: 'leave'; player: number }
  | { is: 'return'; player: number }
  /** `key` is a key as returned by `readKey`. */
  | { is: 'key'; player: number; key: string }

export type StepResult =
  | { ok: true; player: number; spent: number }
  | { ok: false; error: 'bad-key' | 'dead' | 'no-player' }

/**
 * Carries out one command: the only way in which a world changes. Messages are appended to `events`. A key that is
 * known but not possible now spends no turn, and a message explains why.
 *
 * @example
 * const world = makeWorld('a seed')
 * step(world, { is: 'join', name: 'Ada', kind: 'human' }, [])
 * step(world, { is: 'key', player: 1, key: 'o' }, events)
 */
export function step(world: World, command: Command, events: GameEvent[]): StepResult {
  world.seq++
  if (command.is === 'join') return join(world, command, events)
  const player = world.players.get(command.player)
  if (!player) return { ok: false, error: 'no-player' }
  if (!isAlive(player)) return { ok: false, error: 'dead' }
  if (command.is === 'leave') return leave(world, player, events)
  comeBack(world, player, events)
  if (command.is === 'return') return { ok: true, player: player.id, spent: 0 }
  const scene = sceneOf(world, player, events)
  const spent = press(scene, command.key)
  reveal(scene.level, player)
  return spent === undefined ? { ok: false, error: 'bad-key' } : { ok: true, player: player.id, spent }
}

const sceneOf = (world: World, player: Player, events: GameEvent[]): Scene => ({
  world,
  player,
  level: getLevel(world, player.depth),
  events,
})

function join(world: World, command: Command & { is: 'join' }, events: GameEvent[]): StepResult {
  if (world.players.size >= mostPlayers) return { ok: false, error: 'no-player' }
  const player = makePlayer(world, command)
  world.players.set(player.id, player)
  const entrance = getLevel(world, 1)
  putPlayer(world, player, 1, entrance.arrivals[0] ?? entrance.up)
  show(
    sceneOf(world, player, events),
    'join',
    player.cell,
    `${quoteWords(player.name)} enters the Undercroft.`,
    'You enter the Undercroft.',
  )
  return { ok: true, player: player.id, spent: 0 }
}

/** Takes a player out of the dungeon, where nothing can happen to them and they are in nobody's way. */
function leave(world: World, player: Player, events: GameEvent[]): StepResult {
  if (player.isHere) {
    show(sceneOf(world, player, events), 'leave', player.cell, `${quoteWords(player.name)} fades.`)
    liftPlayer(world, player)
    player.isHere = false
  }
  return { ok: true, player: player.id, spent: 0 }
}

function comeBack(world: World, player: Player, events: GameEvent[]): void {
  if (player.isHere) return
  player.isHere = true
  putPlayer(world, player, player.depth, player.cell)
  show(sceneOf(world, player, events), 'join', player.cell, `${quoteWords(player.name)} is back.`, 'You are back.')
}
