import { findElement } from '../../../src/browser/find-element.ts'
import { directions, directionTo, distance, offsets } from '../../core/grid.ts'
import { type GameEvent, step } from '../../core/step.ts'
import { makeWorld } from '../../core/world.ts'
import { type DungeonView, makeView } from './dungeon-view.ts'
import { makeEffects } from './effects.ts'
import { findStep, isWalkable } from './find-step.ts'
import { makePainter } from './painter.ts'
import { readSettings } from './settings.ts'
import { makeWorldScreen } from './world-screen.ts'

/** A simple player: attacks adjacent enemies, fetches items, explores, then goes down. */
function chooseKey(view: DungeonView, health: number, canDrink: boolean): string {
  const foe = view.beings.find(({ id, cell, state }) => id > 0 && state > 0 && distance(cell, view.cell) === 1)
  if (foe && health < 0.4 && canDrink) return '1'
  if (foe) return directions[directionTo(view.cell, foe.cell)] ?? '.'
  if (view.glyphs[view.cell] === '>') return '>'
  const thing = nearest(view, (cell) => view.things.some((each) => each.cell === cell))
  const dark =
    thing ?? nearest(view, (cell) => isAtTheDark(view, cell)) ?? nearest(view, (cell) => view.glyphs[cell] === '>')
  return (dark === undefined ? undefined : findStep(view, dark)) ?? 'o'
}

const isAtTheDark = ({ glyphs }: DungeonView, cell: number): boolean =>
  offsets.some((offset) => glyphs[cell + offset] === '')

/** The nearest walkable cell for which `isWanted` holds. */
function nearest(view: DungeonView, isWanted: (cell: number) => boolean): number | undefined {
  const seen = new Set([view.cell])
  let edge = [view.cell]
  while (edge.length > 0) {
    const next: number[] = []
    for (const cell of edge)
      for (const offset of offsets) {
        const to = cell + offset
        if (seen.has(to) || !isWalkable(view, to)) continue
        if (isWanted(to)) return to
        seen.add(to)
        next.push(to)
      }
    edge = next
  }
  return undefined
}

/** The time between two steps on the front page. */
const stepMs = 190
const mourningMs = 4000
/** With reduced motion, a still picture after this many steps is shown. */
const stillSteps = 90

const place = findElement(HTMLElement, 'front')
const canvas = findElement(HTMLCanvasElement, 'canvas', place)
const { isStill } = readSettings()
const view = makeView()
const effects = makeEffects()
const painter = makePainter(canvas, view, effects)
let isSeen = true
let takeStep = begin()

place.hidden = false
painter.setStill(isStill)
new IntersectionObserver((entries) => {
  isSeen = entries.some(({ isIntersecting }) => isIntersecting)
}).observe(canvas)
if (isStill) {
  for (let at = 0; at < stillSteps; at++) takeStep()
  effects.flights = []
} else walk()

function walk(): void {
  const isOver = isSeen && !document.hidden && takeStep() === 'over'
  if (isOver) takeStep = begin()
  window.setTimeout(walk, isOver ? mourningMs : stepMs)
}

/** Begins a new dungeon that runs in this browser alone, by the rules of the real one. */
function begin(): () => 'alive' | 'over' {
  const world = makeWorld(String(Math.random()))
  const screen = makeWorldScreen(world, 1, view, effects)
  const events: GameEvent[] = []
  step(world, { is: 'join', name: 'Walker', kind: 'human' }, events)

  return () => {
    screen.show(events)
    painter.refresh()
    events.length = 0
    const { hp = 0, maxHp = 1, pack = [], ending = 'nobody' } = world.players.get(1) ?? {}
    if (ending !== '') return 'over'
    step(world, { is: 'key', player: 1, key: chooseKey(view, hp / maxHp, pack.length > 0) }, events)
    return 'alive'
  }
}
