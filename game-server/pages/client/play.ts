import { findElement } from '../../../src/browser/find-element.ts'
import { type Fields, readFields, readList, readNumber, readText } from '../../../src/browser/read-value.ts'
import { withoutMarks } from '../../core/player-words.ts'
import { makeAskedMode } from './asked-mode.ts'
import { isLetterKey, makeBindings } from './bindings.ts'
import { type Connection, connect, type LineState } from './connection.ts'
import { makeEndSheet } from './end-sheet.ts'
import { stepTowards } from './find-step.ts'
import { makeGameScreen } from './game-screen.ts'
import { makeJoinForm } from './join-form.ts'
import { makeMenu } from './menu-sheet.ts'
import { fillPad } from './pad.ts'
import { keepPlayerKey, makePlayerProof, readPlayerKey } from './player-key.ts'
import { readFrame } from './read-frame.ts'
import { makeSayForm } from './say-form.ts'
import { changeSettings, readSettings, type Settings } from './settings.ts'
import { readSocketPlace, toOtherNameAdvice, toSocketUrl } from './socket-url.ts'
import { makeTextScreen } from './text-screen.ts'
import { toSentence } from './to-sentence.ts'

const socket = readSocketPlace(findElement(HTMLElement, 'game'))
const table = findElement(HTMLElement, 'table')
const textPlace = findElement(HTMLElement, 'text-mode')
const canvas = findElement(HTMLCanvasElement, 'canvas')

const hear = {
  welcome,
  snapshot: showFrame,
  delta: showFrame,
  obs: (message: Fields) => words.show(message),
  death: showEnd,
  error: refused,
  players: meet,
  say(message: Fields) {
    const by = readText(message['by'])
    tell('said', `${by}: ${withoutMarks(readText(message['text']))}`)
    if (by === readPlayerKey()?.name) talk.heard()
  },
  shout: (message: Fields) =>
    tell('said', `On the wall, ${readText(message['by'])}: ${withoutMarks(readText(message['text']))}`),
  announce: (message: Fields) => tell('notice', readText(message['text'])),
  bye: () => tell('notice', 'The host is restarting. Nothing happens to you meanwhile.'),
}

let line: Connection | undefined
let asked = 0
let isOver = false
let name = readPlayerKey()?.name ?? ''
/** The token entered on the first screen, until the host has accepted or refused it; otherwise empty. */
let given = ''
let { isText, hasLetterKeys } = readSettings()

const proof = makePlayerProof()
const mode = makeAskedMode()
const bindings = makeBindings()
const screen = makeGameScreen(press)
const words = makeTextScreen({ press, onLeave: () => applySettings(changeSettings({ isText: false })) })
const end = makeEndSheet(startAgain)
const menu = makeMenu({ bindings, zoom: screen.zoom, onChange: applySettings, onLeave: leave })
const talk = makeSayForm(
  (text) => line?.send({ type: 'say', text }) === true,
  () => tell('notice', 'No other person is in this dungeon now.'),
  () => canvas.focus(),
)
const door = makeJoinForm(({ name: chosen, wantsText, token }) => {
  name = chosen
  given = token
  if (wantsText) isText = changeSettings({ isText: true }).isText
  callIn()
})

fillPad(findElement(HTMLElement, 'pad'), press)
findElement(HTMLButtonElement, 'menu-open').addEventListener('click', menu.open)
canvas.addEventListener('click', (event) => {
  const step = stepTowards(screen.view, screen.cellAt(event.clientX, event.clientY))
  if (step) press(step)
})
document.addEventListener('keydown', onKey)
screen.apply(readSettings())
if (readPlayerKey()) {
  door.close()
  showPlace()
  callIn()
} else door.open()

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || table.hidden || document.querySelector('dialog[open]')) return
  if (event.target instanceof HTMLInputElement || (!hasLetterKeys && isLetterKey(event))) return
  const isOnControl = event.target instanceof Element && event.target.closest('button, a')
  if (isOnControl && /^(Enter| |Tab)$/.test(event.key)) return
  if (scrolls(event)) return
  const key = bindings.find(event)
  if (key === undefined && event.key !== 'm') return
  event.preventDefault()
  if (key === undefined) menu.open()
  else press(key)
}

/** Whether a key scrolls the focused list. Keyboard users have no other way to see the rest of it. */
const scrolls = ({ key, target }: KeyboardEvent): boolean =>
  /^(?:Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|Home|End| )$/.test(key) &&
  target instanceof HTMLElement &&
  target.matches('[data-log], [data-in-view]') &&
  [target, target.parentElement].some((box) => box && isLargerThanShown(box))

const isLargerThanShown = (box: HTMLElement): boolean =>
  box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth

function press(key: string): void {
  // Keys pressed before the player saw the end of the life are ignored.
  if (isOver) return
  screen.learn(key)
  asked += 1
  line?.send({ type: 'input', key, n: asked })
}

function callIn(): void {
  if (line) line.redial()
  else line = connect({ wsUrl: toSocketUrl(socket, location), onOpen: sendJoin, hear, onState: showLine })
}

function sendJoin(): void {
  const key = given ? { name, token: given } : proof.show()
  line?.send({
    type: 'join',
    name: key?.name ?? name,
    kind: 'human',
    obs: isText ? 'json' : 'delta',
    v: 1,
    mode: mode.read() ?? null,
    ...(key && { resumeToken: key.token }),
  })
}

function welcome(message: Fields): void {
  const you = readText(readFields(message['you'])['name'])
  keepPlayerKey({ name: you, token: readText(message['resumeToken']) })
  given = ''
  isOver = false
  door.close()
  showPlace()
  tell('level', message['resumed'] === true ? 'You are back where you were.' : 'The door falls shut behind you.')
  const requested = readText(message['requested'])
  if (requested) tell('notice', `The name ${requested} is taken. Here you are called ${you}.`)
}

function showFrame(message: Fields): void {
  const frame = readFrame(message)
  if (frame.me) isOver = frame.me.isOver
  screen.show(frame)
}

function showEnd(message: Fields): void {
  isOver = true
  end.show(message)
}

/** Takes in the list of players in this realm. */
function meet(message: Fields): void {
  const players = readList(message['players']).map(readFields)
  screen.view.badges = new Map(
    players.map(({ id, badges }) => [-readNumber(id), readList(badges).map(toBadge).join(', ')]),
  )
  const you = readPlayerKey()?.name
  talk.show(players.some(({ name: other, kind }) => kind === 'human' && other !== you))
}

const toBadge = (badge: unknown): string => readText(badge).replace('badge_', '')

function showPlace(): void {
  const wasHidden = table.hidden && textPlace.hidden
  table.hidden = isText
  textPlace.hidden = !isText
  if (!wasHidden) return
  if (isText) words.focus()
  else canvas.focus()
}

function refused(message: Fields): void {
  const text = toSentence(readText(message['message']))
  const code = readText(message['code'])
  // A player who was kicked, or whose life was lost, keeps the key and can come back with it.
  if (code === 'cup_closed' || code === 'no_entry') {
    mode.forget()
    goToDoor(text)
  } else if (code === 'kicked' || code === 'life_lost') goToDoor(text)
  else if (code === 'wrong_token' || code === 'bad_name') refuseKey(text)
  else if (code === 'not_joined') sendJoin()
  else if (table.hidden && textPlace.hidden) door.open(text, proof.former())
  else tell('refused', text)
}

function tell(kind: string, text: string): void {
  if (isText) words.tell(text)
  else screen.tell([{ kind, text }])
}

function startAgain(): void {
  // If the connection broke meanwhile, the reconnect has begun a new life already.
  if (!isOver) return
  screen.clear()
  words.clear()
  mode.forget()
  sendJoin()
}

function refuseKey(reason: string): void {
  if (given) {
    given = ''
    goToDoor(reason)
  }
  // Another window may have stored a different key since this one was sent.
  else if (proof.refuse()) sendJoin()
  else goToDoor(reason)
}

function leave(): void {
  keepPlayerKey(undefined)
  goToDoor('')
}

function goToDoor(reason: string): void {
  line?.close()
  line = undefined
  table.hidden = true
  textPlace.hidden = true
  screen.clear()
  words.clear()
  door.open(reason, proof.former())
}

/** Applies settings. Map and text mode use different message formats, so a switch between them needs a new join. */
function applySettings(settings: Settings): void {
  screen.apply(settings)
  hasLetterKeys = settings.hasLetterKeys
  if (settings.isText === isText) return
  isText = settings.isText
  table.hidden = true
  textPlace.hidden = true
  showPlace()
  line?.redial()
}

const takenOver = 4001

/** Shows the state of the connection, in the active mode; nothing while it is open. */
function showLine(state: LineState, code?: number): void {
  const text = textOf(state, code)
  findElement(HTMLElement, 'line').textContent = isText ? '' : text
  findElement(HTMLElement, 'text-line').textContent = isText ? text : ''
  door.tell(state === 'waiting' ? noLine() : '')
}

/** The message on the first screen while there is no connection. */
function noLine(): string {
  const advice = line?.wasOpen() ? '' : toOtherNameAdvice(socket.home, location)
  return advice === '' ? 'The dungeon does not answer; trying again.' : `${advice} Trying again.`
}

function textOf(state: LineState, code: number | undefined): string {
  switch (state) {
    case 'open':
      return ''
    case 'connecting':
      return 'connecting…'
    case 'waiting':
      return 'The connection is down; trying again. Nothing happens to you meanwhile.'
    case 'closed':
      if (code === takenOver) return 'You play on in another window. Reload to come back here.'
      return code === undefined
        ? ''
        : 'Too much was sent at once, so the host closed the connection. Reload to come back.'
  }
}
