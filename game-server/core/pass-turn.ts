import { fall } from './change-level.ts'
import { sightRadius } from './fov.ts'
import { distance, xOf, yOf } from './grid.ts'
import { hurtPlayer } from './hurt-player.ts'
import { itemKind } from './items/kinds.ts'
import { chooseKind } from './monsters/choose-kind.ts'
import { monsterKind, oneOf } from './monsters/kinds.ts'
import { scent } from './monsters/move.ts'
import { spawn } from './monsters/spawn.ts'
import { takeTurn } from './monsters/take-turn.ts'
import { disengage, engage, findHunt, freeCellAnywhere } from './place.ts'
import { quoteWords } from './player-words.ts'
import { chance } from './prng.ts'
import { type Scene, show, tell } from './scene.ts'
import { searchBeside } from './search.ts'
import { sightOf } from './sight.ts'
import { setTurns, statusNames, turnsOf } from './status.ts'
import { T } from './tiles.ts'
import { type Hunt, isAlive, type Monster } from './world.ts'

/** After each so many turns of a player on one level, a hunter is sent. */
const turnsPerHunter = 250
/** The same for a player who carries the Amulet. */
const turnsPerHunterOfThieves = 90
const turnsPerHealedPoint = 9

/**
 * Passes one turn of the acting player. All damage happens here, and only to that player, so that players who think or
 * are away cannot be harmed.
 */
export function passTurn(scene: Scene): void {
  spendOneTurn(scene)
  // A paralysed player cannot choose, so these turns pass at once.
  while (isAlive(scene.player) && turnsOf(scene.player, 'paralysed') > 0) spendOneTurn(scene)
}

function spendOneTurn(scene: Scene): void {
  const { player } = scene
  const { depth } = player
  const wasFloating = turnsOf(player, 'floating') > 0
  player.turn++
  player.stays[depth] = (player.stays[depth] ?? 0) + 1
  feelStatuses(scene)
  if (wasFloating && turnsOf(player, 'floating') === 0 && scene.level.tiles[player.cell] === T.chasm) fall(scene)
  if (!isAlive(player)) return
  healSlowly(scene)
  searchBeside(scene, 5)
  const patience = player.hasAmulet ? turnsPerHunterOfThieves : turnsPerHunter
  if ((player.stays[depth] ?? 0) % patience === 0) sendHunter(scene)
  letMonstersAct(scene)
}

function feelStatuses(scene: Scene): void {
  const { player, level } = scene
  if (turnsOf(player, 'poisoned') > 0) hurtPlayer(scene, 1, 'killed by poison')
  if (turnsOf(player, 'burning') > 0) {
    const tile = level.tiles[player.cell]
    if (tile === T.water || tile === T.deepWater) {
      setTurns(player, 'burning', 0)
      tell(scene, 'status', 'The water puts you out.')
    } else hurtPlayer(scene, 2, 'burned to death')
  }
  statusNames.forEach((status, index) => {
    const left = player.statuses[index] ?? 0
    if (left === 0) return
    player.statuses[index] = left - 1
    if (left === 1) tell(scene, 'status', `You are no longer ${status}.`)
  })
  for (const item of player.pack) {
    if (item.power > 0 && itemKind(item.kind).group === 'charm') item.power--
  }
}

function healSlowly({ player }: Scene): void {
  if (player.hp >= player.maxHp || turnsOf(player, 'poisoned') > 0) return
  player.healing += player.maxHp
  while (player.healing >= turnsPerHealedPoint * 40) {
    player.healing -= turnsPerHealedPoint * 40
    player.hp++
  }
}

/** Spawns a monster out of sight that hunts this player. */
function sendHunter(scene: Scene): void {
  const { world, level, player } = scene
  const sight = sightOf(level, player)
  let cell = freeCellAnywhere(scene)
  for (let tries = 0; tries < 30 && (sight.lit[cell] === 1 || distance(cell, player.cell) > scent - 6); tries++)
    cell = freeCellAnywhere(scene)
  if (sightOf(level, player).lit[cell] === 1) return
  const hunter = spawn(world, level, chooseKind(player.dice, world.rules, 'hunter', level.depth), cell, 'hunting')
  engage(hunter, player)
  tell(scene, 'warning', `You have been noticed: ${oneOf(monsterKind(hunter.kind))} is on its way to see you.`)
}

// A copy of the monsters at the start of the turn: deaths and summonings change the list while they act.
const acting: Monster[] = []

function letMonstersAct(scene: Scene): void {
  const { player, level } = scene
  acting.length = 0
  for (const monster of level.monsters) acting.push(monster)
  for (let i = 0; i < acting.length && isAlive(player); i++) {
    const monster = acting[i]
    if (!monster || monster.hp <= 0) continue
    const hunt = findHunt(monster, player)
    if (hunt) giveTime(scene, monster, hunt)
    else notice(scene, monster)
  }
}

/** Gives a hunting monster its share of a turn: half if the player is hasted, double if slowed. */
function giveTime(scene: Scene, monster: Monster, hunt: Hunt): void {
  const { player } = scene
  if (distance(monster.cell, player.cell) > scent) {
    disengage(monster, player)
    return
  }
  let share = monsterKind(monster.kind).speed
  if (turnsOf(player, 'hasted') > 0) share = Math.floor(share / 2)
  if (turnsOf(player, 'slowed') > 0) share *= 2
  if (monster.slowed > 0) {
    monster.slowed--
    share = Math.floor(share / 2)
  }
  hunt.energy += share
  while (hunt.energy >= 100 && monster.hp > 0 && isAlive(player)) {
    hunt.energy -= 100
    takeTurn(scene, monster, hunt)
  }
}

/** Lets a monster notice the player, if the two see each other. Hidden monsters notice only players nearby. */
function notice(scene: Scene, monster: Monster): void {
  const { player, level } = scene
  const dx = Math.abs(xOf(monster.cell) - xOf(player.cell))
  const dy = Math.abs(yOf(monster.cell) - yOf(player.cell))
  const gap = Math.max(dx, dy)
  if (gap > sightRadius) return
  const kind = monsterKind(monster.kind)
  if (kind.hides === 'as-loot' && monster.isHidden) return
  const tile = level.tiles[player.cell]
  const isStealthy = itemKind(player.armour.kind).id === 'shadow' || tile === T.grass || tile === T.tallGrass
  if (monster.mood === 'asleep' && (gap > (isStealthy ? 2 : 5) || !chance(player.dice, 8))) return
  if (kind.isStone && gap > 4) return
  if (monster.isHidden && kind.hides !== 'always' && gap > 2) return
  if (monster.mood === 'idle' && isStealthy && gap > 4) return
  if (sightOf(level, player).lit[monster.cell] !== 1) return
  const wasHidden = monster.isHidden
  engage(monster, player)
  if (kind.hides === 'low') monster.isHidden = false
  if (monster.isHidden) return
  show(
    scene,
    'notice',
    monster.cell,
    wasHidden
      ? `In front of ${quoteWords(player.name)} rises ${oneOf(kind)}!`
      : `The ${kind.name} notices ${quoteWords(player.name)}.`,
    wasHidden ? `In front of you rises ${oneOf(kind)}!` : `The ${kind.name} notices you.`,
  )
}
