import { findElement } from '../../../src/browser/find-element.ts'
import { makeElement } from '../../../src/browser/make-element.ts'
import type { Fields } from '../../../src/browser/read-value.ts'
import { makeMessageLog } from './message-log.ts'
import { readObservation } from './read-observation.ts'

/** The text mode of the game, for screen readers and for playing without the map. */
export interface TextScreen {
  /** Shows an `obs` message. */
  readonly show: (observation: Fields) => void
  readonly tell: (text: string) => void
  readonly clear: () => void
  readonly focus: () => void
}

/** Connects to the elements of the page for text mode. */
export function makeTextScreen(deps: { press: (key: string) => void; onLeave: () => void }): TextScreen {
  const screen = findElement(HTMLElement, 'text-mode')
  const status = findElement(HTMLElement, 'text-status', screen)
  const news = makeMessageLog(findElement(HTMLElement, 'text-news', screen))
  const ways = findElement(HTMLElement, 'text-ways', screen)
  const field = findElement(HTMLInputElement, 'text-key', screen)

  findElement(HTMLFormElement, 'text-form', screen).addEventListener('submit', (event) => {
    event.preventDefault()
    deps.press(field.value.trim() || '.')
    field.value = ''
  })
  findElement(HTMLButtonElement, 'text-leave', screen).addEventListener('click', deps.onLeave)

  /**
   * Lists the possible keys. Buttons that stay are reused, so that they keep the keyboard focus; if the focused one
   * goes, the focus moves to the next.
   */
  function showWays(keys: readonly { readonly key: string; readonly does: string }[]): void {
    const old = new Map([...ways.children].map((item) => [item.textContent, item]))
    const focused = document.activeElement
    const place = [...ways.children].findIndex((item) => item.contains(focused))
    ways.replaceChildren(...keys.map(({ key, does }) => old.get(`${key} ${does}`) ?? makeWay(key, does, deps.press)))
    if (place < 0 || !(focused instanceof HTMLElement)) return
    const next = [...ways.querySelectorAll('button')]
    const other = next[Math.min(place, next.length - 1)] ?? field
    ;(focused.isConnected ? focused : other).focus()
  }

  const showList = (name: string, lines: readonly string[], none: string) =>
    findElement(HTMLElement, name, screen).replaceChildren(
      ...(lines.length > 0 ? lines : [none]).map((line) => makeElement('li', '', line)),
    )

  return {
    show(message) {
      const told = readObservation(message)
      status.textContent = told.status
      news.add(told.messages.map((text) => ({ kind: 'told', text })))
      showWays(told.keys)
      showList('text-view', told.inView, 'Nobody and nothing of note.')
      showList('text-pack', told.pack, 'Nothing.')
      findElement(HTMLElement, 'text-map', screen).textContent = told.map
    },
    tell: (text) => news.add([{ kind: 'told', text }]),
    clear: news.clear,
    focus: () => field.focus(),
  }
}

function makeWay(key: string, does: string, press: (key: string) => void): HTMLElement {
  const button = makeElement('button', '', makeElement('kbd', '', key), ` ${does}`)
  button.type = 'button'
  button.addEventListener('click', () => press(key))
  return makeElement('li', '', button)
}
