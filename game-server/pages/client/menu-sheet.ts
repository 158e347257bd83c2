import { findElement } from '../../../src/browser/find-element.ts'
import { makeElement } from '../../../src/browser/make-element.ts'
import { actions } from './actions.ts'
import { type Bindings, isLetterKey } from './bindings.ts'
import { cellWidths } from './camera.ts'
import { copyOnClick } from './copy-on-click.ts'
import { readPlayerKey } from './player-key.ts'
import { changeSettings, readSettings, type Settings } from './settings.ts'

interface Options {
  readonly bindings: Bindings
  readonly zoom: () => number
  readonly onChange: (settings: Settings) => void
  readonly onLeave: () => void
}

/** The menu: appearance, key bindings, and the player's name and token. */
export function makeMenu({ bindings, zoom, onChange, onLeave }: Options): { open: () => void } {
  const sheet = findElement(HTMLDialogElement, 'menu')
  const size = findElement(HTMLInputElement, 'menu-zoom', sheet)
  const still = findElement(HTMLInputElement, 'menu-still', sheet)
  const hints = findElement(HTMLInputElement, 'menu-hints', sheet)
  const letters = findElement(HTMLInputElement, 'menu-letters', sheet)
  const told = findElement(HTMLElement, 'menu-told', sheet)
  const change = (settings: Partial<Settings>) => onChange(changeSettings(settings))

  size.max = String(cellWidths.length - 1)
  size.addEventListener('input', () => change({ zoom: Number(size.value) }))
  still.addEventListener('change', () => change({ isStill: still.checked }))
  hints.addEventListener('change', () => change({ hasHints: hints.checked, ...(hints.checked && { learned: [] }) }))
  letters.addEventListener('change', () => {
    change({ hasLetterKeys: letters.checked })
    listKeys()
  })
  findElement(HTMLButtonElement, 'menu-text', sheet).addEventListener('click', () => {
    sheet.close()
    change({ isText: true })
  })
  /** The token about whose loss the player was warned; another window may have stored a different one since. */
  let warned: string | undefined
  findElement(HTMLButtonElement, 'menu-leave', sheet).addEventListener('click', () => {
    const key = readPlayerKey()
    if (key && key.token !== warned) {
      warned = key.token
      told.textContent = `This browser would forget the key of ${key.name}, and nobody can show it again. Copy it first, or press again to forget it.`
      return
    }
    sheet.close()
    onLeave()
  })
  const token = () => readPlayerKey()?.token ?? ''
  copyOnClick(
    findElement(HTMLButtonElement, 'menu-token', sheet),
    token,
    (isCopied) => (told.textContent = isCopied ? 'Copied. Whoever has it can play as you.' : token()),
  )
  const listKeys = fillBindings(findElement(HTMLElement, 'bindings', sheet), bindings)

  return {
    open() {
      const settings = readSettings()
      size.value = String(zoom())
      still.checked = settings.isStill
      hints.checked = settings.hasHints
      letters.checked = settings.hasLetterKeys
      told.textContent = ''
      warned = undefined
      findElement(HTMLElement, 'menu-name', sheet).textContent = readPlayerKey()?.name ?? 'nobody yet'
      listKeys()
      sheet.showModal()
    },
  }
}

const shownKey = (key: string): string => (key === ' ' ? 'Space' : key.replace(/^Arrow/, ''))

/** Lists the actions; the button of a chosen one waits for its new key. */
function fillBindings(list: HTMLElement, bindings: Bindings): () => void {
  const refresh = () => {
    const { hasLetterKeys } = readSettings()
    list.replaceChildren(
      ...actions.map((action) => {
        const key = bindings.shown(action)
        const isKey = hasLetterKeys || !isLetterKey({ key, code: key })
        const button = makeElement('button', '', action.does, ...(isKey ? [makeElement('kbd', '', shownKey(key))] : []))
        button.type = 'button'
        button.setAttribute('aria-pressed', 'false')
        button.addEventListener('click', () => button.setAttribute('aria-pressed', 'true'))
        button.addEventListener('blur', () => button.setAttribute('aria-pressed', 'false'))
        button.addEventListener('keydown', (event) => {
          if (button.getAttribute('aria-pressed') !== 'true' || /^(Shift|Control|Alt|Meta|Tab)$/.test(event.key)) return
          event.preventDefault()
          if (event.key !== 'Escape') bindings.bind(action, event.key === 'Backspace' ? undefined : event.key)
          refresh()
          const at = actions.indexOf(action)
          list.querySelectorAll('button')[at]?.focus()
        })
        return makeElement('li', '', button)
      }),
    )
  }
  return refresh
}
