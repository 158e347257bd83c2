import { connect } from './connection.ts'
import { makeView } from './dungeon-view.ts'
import { makeEffects } from './effects.ts'
import { findElement } from './find-element.ts'
import { keepFrame } from './keep-frame.ts'
import { showLivePlayers } from './live-players.ts'
import { makeMessageLog } from './message-log.ts'
import { makePainter, type Painter } from './painter.ts'
import { readFrame } from './read-frame.ts'
import { type Fields, readNumber, readText } from './read-value.ts'
import { readSettings } from './settings.ts'
import { showWall } from './wall.ts'

/** After a death there is a moment of silence, then somebody else is looked for. */
const lookAgainMs = 6000

const place = findElement(HTMLElement, 'watch')
const stage = findElement(HTMLElement, 'watch-stage', place)
const canvas = findElement(HTMLCanvasElement, 'canvas', stage)
const status = findElement(HTMLElement, 'watch-status', place)
const field = findElement(HTMLInputElement, 'watch-name', place)
const log = makeMessageLog(findElement(HTMLElement, 'log', place))
const view = makeView()
let painter: Painter | undefined
let timer: number | undefined

field.value = new URLSearchParams(location.search).get('player') ?? ''

void showWall()
showLivePlayers(findElement(HTMLElement, 'live-players', place), (name) => {
  field.value = name
  lookAtSomebody()
})

const line = connect({
  wsUrl: place.dataset['ws'] ?? '',
  onOpen: lookAtSomebody,
  hear: { watching: begin, snapshot: show, delta: show, death: showEnd, error: refused },
  onState: (state) => {
    if (state === 'waiting') status.textContent = 'The line is down; trying again.'
  },
})

findElement(HTMLFormElement, 'watch-form', place).addEventListener('submit', (event) => {
  event.preventDefault()
  lookAtSomebody()
})

function lookAtSomebody(): void {
  clearTimeout(timer)
  const player = field.value.trim()
  line.send({ type: 'watch', ...(player && { player }) })
}

function lookAgain(): void {
  clearTimeout(timer)
  timer = window.setTimeout(lookAtSomebody, lookAgainMs)
}

function showEnd(message: Fields): void {
  log.add([{ kind: 'death', text: `${readText(message['name'])}: ${readText(message['cause'])}.` }])
  lookAgain()
}

function refused(message: Fields): void {
  status.textContent = refusal(readText(message['code']), readText(message['message']))
  lookAgain()
}

function refusal(code: string, message: string): string {
  if (code !== 'no_such_player') return message
  return field.value.trim()
    ? 'Nobody of that name is down there now.'
    : 'Nobody is down there now. Somebody has to be first.'
}

function begin(message: Fields): void {
  const seconds = readNumber(message['delayMs']) / 1000
  const kind = message['kind'] === 'agent' ? 'an agent' : 'a person'
  status.textContent = `You follow ${readText(message['player'])}, ${kind}, ${seconds} seconds behind.`
  log.clear()
  stage.hidden = false
  // What is shown comes late by design; until then there is nothing, and nobody else's dungeon.
  canvas.style.visibility = 'hidden'
  painter ??= makePainter(canvas, view, makeEffects())
  painter.setStill(readSettings().isStill)
}

function show(message: Fields): void {
  if (!painter) return
  const frame = readFrame(message)
  keepFrame(view, painter.effects, frame)
  log.add(frame.messages)
  painter.refresh()
  canvas.style.visibility = ''
}
