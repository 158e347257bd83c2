import { findElement } from '../../../src/browser/find-element.ts'
import { makeElement } from '../../../src/browser/make-element.ts'
import { type Fields, readFields, readList, readNumber, readText } from '../../../src/browser/read-value.ts'
import { withoutMarks } from '../../core/player-words.ts'
import { connect } from './connection.ts'
import { makeView } from './dungeon-view.ts'
import { makeEffects } from './effects.ts'
import { keepFrame } from './keep-frame.ts'
import { makeMessageLog } from './message-log.ts'
import { makePainter, type Painter } from './painter.ts'
import { askJson } from './post-json.ts'
import { readFrame } from './read-frame.ts'
import { readSettings } from './settings.ts'
import { readSocketPlace, toOtherNameAdvice, toSocketUrl } from './socket-url.ts'
import { toSentence } from './to-sentence.ts'

/** How long to wait after a death or a refusal before looking for a player to watch again. */
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

const socket = readSocketPlace(place)
const line = connect({
  wsUrl: toSocketUrl(socket, location),
  onOpen: lookAtSomebody,
  hear: { watching: begin, snapshot: show, delta: show, death: showEnd, error: refused },
  onState: (state) => {
    if (state !== 'waiting') return
    const advice = line.wasOpen() ? '' : toOtherNameAdvice(socket.home, location)
    tell(`The connection is down; trying again. ${advice}`.trimEnd())
  },
})

findElement(HTMLFormElement, 'watch-form', place).addEventListener('submit', (event) => {
  event.preventDefault()
  lookAtSomebody()
})

/** Shows a status; the same one is not set twice, because a screen reader would read it again. */
function tell(sentence: string): void {
  if (status.textContent !== sentence) status.textContent = sentence
}

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
  tell(refusal(readText(message['code']), readText(message['message'])))
  lookAgain()
}

function refusal(code: string, message: string): string {
  if (code !== 'no_such_player') return toSentence(message)
  return field.value.trim() ? 'Nobody with that name is playing now.' : 'Nobody is playing now.'
}

function begin(message: Fields): void {
  const seconds = readNumber(message['delayMs']) / 1000
  const kind = message['kind'] === 'agent' ? 'an agent' : 'a person'
  tell(`You are watching ${readText(message['player'])}, ${kind}, ${seconds} seconds behind.`)
  log.clear()
  stage.hidden = false
  // Frames arrive with a delay. Until the first one the canvas is hidden, so that it does not show the previous player.
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

/** Shows the lines on the entrance wall, if there are any. */
async function showWall(): Promise<void> {
  const { body } = await askJson('/api/wall')
  const lines = readList(body['shouts']).map(readFields)
  if (lines.length === 0) return
  findElement(HTMLElement, 'wall-lines').replaceChildren(
    ...lines.map((line) =>
      makeElement(
        'li',
        '',
        withoutMarks(readText(line['text'])),
        makeElement('span', 'faded', `, ${readText(line['by'])}`),
      ),
    ),
  )
  findElement(HTMLElement, 'wall').hidden = false
}

const everyMs = 10_000

/** Keeps the list of live players up to date, with a button to watch each. */
function showLivePlayers(list: HTMLElement, follow: (name: string) => void): void {
  let shown = ''

  const show = async (): Promise<void> => {
    const { isOk, body } = await askJson('/api/live')
    if (!isOk) return
    const players = readList(body['players']).map(readFields)
    const now = JSON.stringify(players)
    // An unchanged list is not replaced, so that the focused button keeps its focus.
    if (now === shown) return
    shown = now
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['player'] : undefined
    list.replaceChildren(...players.map((player) => makeElement('li', '', toButton(player))))
    if (focused !== undefined) list.querySelector<HTMLElement>(`[data-player="${CSS.escape(focused)}"]`)?.focus()
  }

  function toButton(player: Fields): HTMLButtonElement {
    const name = readText(player['name'])
    const kind = player['kind'] === 'agent' ? 'an agent' : 'a person'
    const watchers = readNumber(player['watchers'])
    const about = `, ${kind}, depth ${readNumber(player['depth'])}${watchers > 0 ? `, watched by ${watchers}` : ''}`
    const button = makeElement('button', '', name, makeElement('span', 'faded', about))
    button.type = 'button'
    button.dataset['player'] = name
    button.addEventListener('click', () => follow(name))
    return button
  }

  const tick = () => {
    if (!document.hidden) void show()
  }
  tick()
  setInterval(tick, everyMs)
}
