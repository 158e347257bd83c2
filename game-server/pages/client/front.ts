import { type GameEvent, step } from '../../core/step.ts'
import { makeWorld } from '../../core/world.ts'
import { chooseKey } from './choose-key.ts'
import { makeView } from './dungeon-view.ts'
import { makeEffects } from './effects.ts'
import { findElement } from './find-element.ts'
import { makePainter } from './painter.ts'
import { readSettings } from './settings.ts'
import { makeWorldScreen } from './world-screen.ts'

/** One step of the one who walks on the front page. */
const stepMs = 190
const mourningMs = 4000
/** Who wants no motion sees where the torch got to in so many steps. */
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

/** A dungeon of its own in this browser, by the rules of the real one; nothing of it reaches the host. */
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
