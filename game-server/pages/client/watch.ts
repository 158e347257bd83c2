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

/** Says how it stands, once: a screen reader would read the same again each time that somebody is looked for. */
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

/** Shows what strangers wrote on the entrance wall; nothing when it is bare. */
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

/** Keeps a list of who is down there, each a button that follows them; empty while nobody is. */
function showLivePlayers(list: HTMLElement, follow: (name: string) => void): void {
  let shown = ''

  const show = async (): Promise<void> => {
    const { isOk, body } = await askJson('/api/live')
    if (!isOk) return
    const players = readList(body['players']).map(readFields)
    const now = JSON.stringify(players)
    // A list that is the same is left alone, so that nobody loses the button they stand on.
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
