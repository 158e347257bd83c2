import { makeElement } from '../../../src/browser/make-element.ts'

type Control = readonly [sign: string, name: string, key: string]

const rows: readonly { readonly ways: readonly Control[]; readonly deeds: readonly Control[] }[] = [
  {
    ways: [
      ['↖', 'north-west', 'northwest'],
      ['↑', 'north', 'north'],
      ['↗', 'north-east', 'northeast'],
    ],
    deeds: [
      ['explore', 'explore', 'o'],
      ['fetch', 'fetch the nearest item', 'g'],
      ['rest', 'rest', 'R'],
    ],
  },
  {
    ways: [
      ['←', 'west', 'west'],
      ['·', 'wait a turn', '.'],
      ['→', 'east', 'east'],
    ],
    deeds: [
      ['fire', 'fire or throw', 'f'],
      ['search', 'search the walls', 'S'],
      ['swap', 'swap with what lies here', 'x'],
    ],
  },
  {
    ways: [
      ['↙', 'south-west', 'southwest'],
      ['↓', 'south', 'south'],
      ['↘', 'south-east', 'southeast'],
    ],
    deeds: [
      ['> down', 'down the stairs', '>'],
      ['< up', 'up the stairs', '<'],
      ['altar', 'use the altar you stand on', 'c'],
    ],
  },
]

const repeatAfterMs = 350
const repeatEveryMs = 140

/** Fills the touch controls. Direction buttons repeat while they are held; others act once. */
export function fillPad(pad: HTMLElement, press: (key: string) => void): void {
  for (const { ways, deeds } of rows) {
    for (const control of ways) {
      const button = makeButton('way', control)
      repeatWhileHeld(button, () => press(control[2]))
      pad.append(button)
    }
    pad.append(makeElement('span', 'pad-gap'))
    for (const control of deeds) {
      const button = makeButton('deed', control)
      button.addEventListener('click', () => press(control[2]))
      pad.append(button)
    }
  }
}

function makeButton(kind: string, [sign, name]: Control): HTMLButtonElement {
  const button = makeElement('button', kind, sign)
  button.type = 'button'
  if (sign !== name) button.setAttribute('aria-label', name)
  return button
}

/** A click within this time after `pointerup` belongs to that press and is ignored. */
const clickAfterMs = 500

/**
 * Makes a button repeat while a pointer is held on it. It stops when the pointer leaves or is lifted, when a dialog
 * opens, when the window loses focus, or when the button is hidden.
 */
function repeatWhileHeld(button: HTMLButtonElement, press: () => void): void {
  let timer: number | undefined
  let finger: number | undefined
  let liftedAt = Number.NEGATIVE_INFINITY
  const stop = () => {
    clearTimeout(timer)
    finger = undefined
  }
  const again = () => {
    if (document.querySelector('dialog[open]') || !document.hasFocus() || !button.checkVisibility()) return stop()
    press()
    timer = window.setTimeout(again, repeatEveryMs)
  }
  button.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    stop()
    finger = event.pointerId
    // Touch captures the pointer implicitly, so that `pointerleave` would not fire when the finger slides off.
    if (button.hasPointerCapture(finger)) button.releasePointerCapture(finger)
    press()
    timer = window.setTimeout(again, repeatAfterMs)
  })
  button.addEventListener('pointerup', ({ timeStamp }) => {
    liftedAt = timeStamp
  })
  for (const name of ['pointerup', 'pointercancel', 'pointerleave'] as const)
    button.addEventListener(name, ({ pointerId }) => {
      if (pointerId === finger) stop()
    })
  button.addEventListener('contextmenu', (event) => event.preventDefault())
  // Keyboards and screen readers click without a pointer.
  button.addEventListener('click', ({ detail, timeStamp }) => {
    if (detail === 0 || timeStamp - liftedAt > clickAfterMs) press()
  })
}
