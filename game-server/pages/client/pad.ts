import { makeElement } from './make-element.ts'

/** Sign, what it is called, key; rows of three ways and two deeds. */
const rows: readonly (readonly [sign: string, name: string, key: string])[] = [
  ['↖', 'north-west', 'northwest'],
  ['↑', 'north', 'north'],
  ['↗', 'north-east', 'northeast'],
  ['explore', 'explore', 'o'],
  ['fetch', 'fetch what lies about', 'g'],
  ['←', 'west', 'west'],
  ['·', 'wait a turn', '.'],
  ['→', 'east', 'east'],
  ['rest', 'rest', 'R'],
  ['fire', 'fire or throw', 'f'],
  ['↙', 'south-west', 'southwest'],
  ['↓', 'south', 'south'],
  ['↘', 'south-east', 'southeast'],
  ['> down', 'down the stairs', '>'],
  ['search', 'search the walls', 'S'],
]

const repeatAfterMs = 350
const repeatEveryMs = 140

/** Fills the touch controls. A way that is held is walked on; a deed is done once. */
export function fillPad(pad: HTMLElement, press: (key: string) => void): void {
  rows.forEach(([sign, name, key], at) => {
    const isWay = at % 5 < 3
    const button = makeElement('button', isWay ? 'way' : 'deed', sign)
    button.type = 'button'
    if (sign !== name) button.setAttribute('aria-label', name)
    if (isWay) repeatWhileHeld(button, () => press(key))
    else button.addEventListener('click', () => press(key))
    if (at % 5 === 3) pad.append(makeElement('span', 'pad-gap'))
    pad.append(button)
  })
}

function repeatWhileHeld(button: HTMLButtonElement, press: () => void): void {
  let timer: number | undefined
  let isPointer = false
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const again = () => {
    press()
    timer = window.setTimeout(again, repeatEveryMs)
  }
  button.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    isPointer = true
    press()
    timer = window.setTimeout(again, repeatAfterMs)
  })
  for (const name of ['pointerup', 'pointercancel', 'pointerleave'] as const) button.addEventListener(name, stop)
  button.addEventListener('contextmenu', (event) => event.preventDefault())
  // Keyboards and screen readers click without a pointer.
  button.addEventListener('click', () => {
    if (!isPointer) press()
    isPointer = false
  })
}
