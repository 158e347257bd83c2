import { findElement } from '../../../src/browser/find-element.ts'
import { makeView } from './dungeon-view.ts'
import { makeEffects } from './effects.ts'
import { findHint, learnedFrom, type Situation } from './hints.ts'
import { makeHud } from './hud.ts'
import { showInView } from './in-view.ts'
import { keepFrame } from './keep-frame.ts'
import { type Message, makeMessageLog } from './message-log.ts'
import { showPack } from './pack-list.ts'
import { makePainter } from './painter.ts'
import type { Frame, Me } from './read-frame.ts'
import { changeSettings, readSettings, type Settings } from './settings.ts'

/** The graphical view of the game: map, figures, lists and log. */
export interface GameScreen {
  readonly show: (frame: Frame) => void
  readonly tell: (messages: readonly Message[]) => void
  /** Empties the log and the figures before a new life. */
  readonly clear: () => void
  /** Records a pressed key, so that the hint about it is not shown any more. */
  readonly learn: (key: string) => void
  readonly apply: (settings: Settings) => void
  readonly zoom: () => number
  /** The cell at a position of the window. */
  readonly cellAt: (clientX: number, clientY: number) => number
  readonly view: ReturnType<typeof makeView>
}

/** Connects to the elements of the page that show the game. */
export function makeGameScreen(press: (key: string) => void): GameScreen {
  const canvas = findElement(HTMLCanvasElement, 'canvas')
  const view = makeView()
  const effects = makeEffects()
  const painter = makePainter(canvas, view, effects)
  const hud = makeHud()
  const log = makeMessageLog(findElement(HTMLElement, 'log'))
  const hint = findElement(HTMLElement, 'hint')
  const isTouch = matchMedia('(pointer: coarse)').matches
  const table = findElement(HTMLElement, 'table')
  let me: Me | undefined
  let packed = 0
  let wears: readonly string[] = []
  let settings = readSettings()

  const situation = (): Situation => ({
    hasFoe: view.beings.some(({ id, state }) => id > 0 && state > 0),
    hasLoot: view.things.some(({ cell }) => view.lit[cell] === 1),
    isHurt: me !== undefined && me.hp * 3 < me.maxHp * 2,
    carries: packed > 0,
    seesWayDown: view.glyphs.some((glyph, cell) => glyph === '>' && view.lit[cell] === 1),
  })

  function showHint(): void {
    const found = settings.hasHints && me ? findHint(situation(), new Set(settings.learned)) : undefined
    const text = found ? (isTouch || !settings.hasLetterKeys ? found.touch : found.keys) : ''
    if (hint.textContent !== text) hint.textContent = text
  }

  function showParts({ me: figures, pack, worn, statuses }: Frame): void {
    if (figures) {
      me = figures
      hud.show(figures, view.depth)
    }
    if (pack) {
      packed = pack.length
      showPack(findElement(HTMLElement, 'pack'), pack, press)
    }
    if (worn) wears = worn
    findElement(HTMLElement, 'worn').textContent = [...wears, ...(me ? [`strength ${me.strength}`] : [])].join(', ')
    if (statuses) hud.showStatuses(statuses)
    showInView(findElement(HTMLElement, 'in-view'), view)
  }

  return {
    view,
    show(frame) {
      keepFrame(view, effects, frame)
      showParts(frame)
      log.add(frame.messages)
      showHint()
      painter.refresh()
    },
    tell: log.add,
    clear() {
      me = undefined
      log.clear()
    },
    learn(key) {
      const id = learnedFrom(key, situation())
      if (id !== undefined && !settings.learned.includes(id))
        settings = changeSettings({ learned: [...settings.learned, id] })
    },
    apply(changed) {
      settings = changed
      painter.setZoom(changed.zoom)
      painter.setStill(changed.isStill)
      table.classList.toggle('has-pad', !changed.hasLetterKeys)
      canvas.ariaLabel = `The dungeon. Arrow keys walk, ${changed.hasLetterKeys ? 'o explores, m opens the menu' : 'buttons do the rest; one opens the menu'}, where text mode is.`
      showHint()
    },
    zoom: painter.zoom,
    cellAt: painter.cellAt,
  }
}
