import { endFights, liftPlayer } from './place.ts'
import { quoteWords } from './player-words.ts'
import { type Scene, show, tell } from './scene.ts'
import { type Status, setTurns, turnsOf } from './status.ts'
import { isAlive } from './world.ts'

/** Damages the acting player; no other player can be damaged. `cause` is the cause of death to record. */
export function hurtPlayer(scene: Scene, amount: number, cause: string): void {
  const { world, player } = scene
  if (!isAlive(player)) return
  const isShielded = turnsOf(player, 'shielded') > 0
  player.hp -= isShielded ? Math.ceil(amount / 2) : amount
  if (player.hp > 0) return
  player.hp = 0
  player.ending = cause
  show(
    scene,
    'death',
    player.cell,
    `${quoteWords(player.name)} dies on depth ${player.depth}, ${cause}.`,
    `You die on depth ${player.depth}, ${cause}.`,
  )
  endFights(world, player)
  liftPlayer(world, player)
}

const starts: Partial<Record<Status, string>> = {
  poisoned: 'You feel very ill.',
  slowed: 'Your legs are lead.',
  hasted: 'Everything else slows down.',
  confused: 'Left and right change places.',
  paralysed: 'You cannot move a finger.',
  burning: 'You are on fire.',
  floating: 'Your feet leave the ground.',
  telepathic: 'You hear other minds.',
  blind: 'It gets dark, and it is not the torch.',
  stuck: 'You are stuck fast.',
  shielded: 'Your skin turns to stone.',
}

/** Gives the acting player a status for this many turns, or keeps the remaining turns if those are more. */
export function afflict(scene: Scene, status: Status, turns: number): void {
  const { player } = scene
  if (!isAlive(player)) return
  const left = turnsOf(player, status)
  setTurns(player, status, Math.max(left, turns))
  const text = starts[status]
  if (left === 0 && text) tell(scene, 'status', text)
}

export function heal({ player }: Scene, amount: number): void {
  player.hp = Math.max(player.hp, Math.min(player.maxHp, player.hp + amount))
}
