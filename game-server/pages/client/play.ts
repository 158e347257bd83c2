import { findElement } from '../../../src/browser/find-element.ts'
import { type Fields, readFields, readList, readNumber, readText } from '../../../src/browser/read-value.ts'
import { withoutMarks } from '../../core/player-words.ts'
import { makeAskedMode } from './asked-mode.ts'
import { makeBindings } from './bindings.ts'
import { type Connection, connect, type LineState } from './connection.ts'
import { makeEndSheet } from './end-sheet.ts'
import { stepTowards } from './find-step.ts'
import { makeGameScreen } from './game-screen.ts'
import { makeJoinForm } from './join-form.ts'
import { listenToKeyboard } from './keyboard.ts'
import { toDoorText, toLineText } from './line-text.ts'
import { makeMenu } from './menu-sheet.ts'
import { makeModes } from './modes.ts'
import { fillPad } from './pad.ts'
import { keepPlayerKey, readPlayerKey } from './player-key.ts'
import { makePlayerProof } from './player-proof.ts'
import { readFrame } from './read-frame.ts'
import { makeSayForm } from './say-form.ts'
import { changeSettings, readSettings, type Settings } from './settings.ts'
import { readSocketPlace, toOtherNameAdvice, toSocketUrl } from './socket-url.ts'
import { makeTextScreen } from './text-screen.ts'
import { toSentence } from './to-sentence.ts'

const socket = readSocketPlace(findElement(HTMLElement, 'game'))
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
let { hasLetterKeys } = readSettings()

const proof = makePlayerProof()
const mode = makeAskedMode()
const bindings = makeBindings()
const screen = makeGameScreen(press)
const words = makeTextScreen({ press, onLeave: () => applySettings(changeSettings({ isText: false })) })
const modes = makeModes({ screen, words, isText: readSettings().isText })
const { tell } = modes
const end = makeEndSheet(startAgain)
const menu = makeMenu({ bindings, zoom: screen.zoom, onChange: applySettings, onLeave: leave })
const talk = makeSayForm(
  (text) => line?.send({ type: 'say', text }) === true,
  () => tell('notice', 'No other person is in this dungeon now.'),
  () => canvas.focus(),
)
const door = makeJoinForm(({ name, wantsText, token }) => {
  proof.enter({ name, token })
  if (wantsText) modes.use(changeSettings({ isText: true }).isText)
  callIn()
})

fillPad(findElement(HTMLElement, 'pad'), press)
findElement(HTMLButtonElement, 'menu-open').addEventListener('click', menu.open)
canvas.addEventListener('click', (event) => {
  const step = stepTowards(screen.view, screen.cellAt(event.clientX, event.clientY))
  if (step) press(step)
})
listenToKeyboard({
  bindings,
  isShown: modes.isMapShown,
  hasLetterKeys: () => hasLetterKeys,
  press,
  openMenu: menu.open,
})
screen.apply(readSettings())
if (readPlayerKey()) {
  door.close()
  modes.show()
  callIn()
} else door.open()

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
  const { name, token } = proof.show()
  line?.send({
    type: 'join',
    name,
    kind: 'human',
    obs: modes.isText() ? 'json' : 'delta',
    v: 1,
    mode: mode.read() ?? null,
    ...(token !== undefined && { resumeToken: token }),
  })
}

function welcome(message: Fields): void {
  const you = readText(readFields(message['you'])['name'])
  proof.accept({ name: you, token: readText(message['resumeToken']) })
  isOver = false
  door.close()
  modes.show()
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
  else if (modes.isHidden()) door.open(text, proof.former())
  else tell('refused', text)
}

function startAgain(): void {
  // If the connection broke meanwhile, the reconnect has begun a new life already.
  if (!isOver) return
  modes.clear()
  mode.forget()
  sendJoin()
}

function refuseKey(reason: string): void {
  // Another window may have stored a different key since this one was sent.
  if (proof.refuse()) sendJoin()
  else goToDoor(reason)
}

function leave(): void {
  keepPlayerKey(undefined)
  goToDoor('')
}

function goToDoor(reason: string): void {
  line?.close()
  line = undefined
  modes.hide()
  modes.clear()
  door.open(reason, proof.former())
}

/** Applies settings. Map and text mode use different message formats, so a switch between them needs a new join. */
function applySettings(settings: Settings): void {
  screen.apply(settings)
  hasLetterKeys = settings.hasLetterKeys
  if (settings.isText === modes.isText()) return
  modes.use(settings.isText)
  modes.hide()
  modes.show()
  line?.redial()
}

/** Shows the state of the connection, in the active mode; nothing while it is open. */
function showLine(state: LineState, code?: number): void {
  modes.tellLine(toLineText(state, code))
  // Where a socket was open once, its URL is right.
  door.tell(toDoorText(state, line?.wasOpen() ? '' : toOtherNameAdvice(socket.home, location)))
}
