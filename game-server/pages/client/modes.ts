import { findElement } from '../../../src/browser/find-element.ts'
import type { GameScreen } from './game-screen.ts'
import type { TextScreen } from './text-screen.ts'

interface Options {
  readonly screen: Pick<GameScreen, 'tell' | 'clear'>
  readonly words: Pick<TextScreen, 'tell' | 'clear' | 'focus'>
  readonly isText: boolean
}

/** The map and the text mode, of which the page shows the one that the player uses, or none before the game. */
export function makeModes({ screen, words, isText: startsAsText }: Options) {
  const table = findElement(HTMLElement, 'table')
  const textPlace = findElement(HTMLElement, 'text-mode')
  let isText = startsAsText

  const isHidden = () => table.hidden && textPlace.hidden

  return {
    isText: (): boolean => isText,
    isMapShown: (): boolean => !table.hidden,
    isHidden,
    /** Uses the text mode or the map from the next `show` on. */
    use(text: boolean): void {
      isText = text
    },
    /** Shows the mode that is used; focuses it if none was shown. */
    show(): void {
      const wasHidden = isHidden()
      table.hidden = isText
      textPlace.hidden = !isText
      if (!wasHidden) return
      if (isText) words.focus()
      else findElement(HTMLElement, 'canvas').focus()
    },
    hide(): void {
      table.hidden = true
      textPlace.hidden = true
    },
    /** Removes what both show of a life. */
    clear(): void {
      screen.clear()
      words.clear()
    },
    tell(kind: string, text: string): void {
      if (isText) words.tell(text)
      else screen.tell([{ kind, text }])
    },
    /** Shows the state of the connection. */
    tellLine(text: string): void {
      findElement(HTMLElement, 'line').textContent = isText ? '' : text
      findElement(HTMLElement, 'text-line').textContent = isText ? text : ''
    },
  }
}
