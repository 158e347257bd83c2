import { findElement } from '../../../src/browser/find-element.ts'
import { isKnownRules, knownRules } from '../../core/world.ts'
import { makeView } from './dungeon-view.ts'
import { makeEffects } from './effects.ts'
import { makeMessageLog } from './message-log.ts'
import { makePainter } from './painter.ts'
import { askJson } from './post-json.ts'
import { type Run, readRun } from './read-run.ts'
import { type Relived, relive } from './relive.ts'
import { readSettings } from './settings.ts'

const place = findElement(HTMLElement, 'replay')
const status = findElement(HTMLElement, 'replay-status', place)
const play = findElement(HTMLButtonElement, 'replay-play', place)
const slider = findElement(HTMLInputElement, 'replay-at', place)
const speed = findElement(HTMLSelectElement, 'replay-speed', place)
const figures = findElement(HTMLElement, 'replay-figures', place)
const log = makeMessageLog(findElement(HTMLElement, 'log', place))
const view = makeView()
const effects = makeEffects()

void load()

async function load(): Promise<void> {
  const { isOk, body, detail } = await askJson(place.dataset['source'] ?? '')
  const run = isOk ? readRun(body) : undefined
  if (!run) status.textContent = detail ? `${detail}.` : 'There is no record of this life.'
  else if (!isKnownRules(run.rules))
    status.textContent = `This life was played by rules ${run.rules}; this page knows rules ${knownRules.join(' and ')}. The file below is still valid.`
  else start(run)
}

function start(run: Run): void {
  findElement(HTMLElement, 'replay-player', place).classList.remove('waits')
  const painter = makePainter(findElement(HTMLCanvasElement, 'canvas', place), view, effects)
  painter.setStill(readSettings().isStill)
  const life = relive(run, view, effects)
  let timer: number | undefined

  const isPlaying = () => timer !== undefined
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
    play.textContent = 'Play'
  }
  const go = (at: number) => {
    if (at < life.at()) log.clear()
    log.add(life.goTo(at))
    tellWhere(run, life)
    painter.refresh()
    if (life.at() >= run.commands.length) stop()
  }
  const tick = () => {
    timer = window.setTimeout(tick, 1000 / Number(speed.value))
    go(life.at() + 1)
  }

  slider.max = String(run.commands.length)
  slider.addEventListener('input', () => go(Number(slider.value)))
  play.addEventListener('click', () => {
    if (isPlaying()) return stop()
    if (life.at() >= run.commands.length) go(0)
    play.textContent = 'Pause'
    tick()
  })
  const onClick = (name: string, at: () => number) =>
    findElement(HTMLButtonElement, name, place).addEventListener('click', () => {
      stop()
      go(at())
    })
  onClick('replay-back', () => Math.max(0, life.at() - 1))
  onClick('replay-step', () => life.at() + 1)
  onClick('replay-end', () => run.commands.length)
  go(1)
}

function tellWhere(run: Run, life: Relived): void {
  const { depth, hp, maxHp, turn } = life.figures()
  slider.value = String(life.at())
  figures.textContent = `Depth ${depth}, health ${hp} of ${maxHp}, turn ${turn}. Command ${life.at()} of ${run.commands.length}.`
  const isTrue = life.isTrue()
  if (isTrue === undefined) status.textContent = ''
  else if (isTrue)
    status.textContent = 'The end. Your browser came to exactly the world that was recorded: this record is true.'
  else status.textContent = 'The end, but not the one that was recorded: this file was changed.'
}
