import { findElement } from '../../../src/browser/find-element.ts'

/** The form for chat with the people in the same realm. */
export interface SayForm {
  /** Shows or hides the form; it is hidden for a player who is alone. */
  readonly show: (isShown: boolean) => void
  /** Call it when this player's own remark came back from the host. */
  readonly heard: () => void
}

/**
 * Connects the chat form. The text stays in the field until the host has sent it to everybody, because the host may
 * refuse it.
 *
 * @param send sends the text; false when there is no connection
 * @param leave moves the focus back to the game
 */
export function makeSayForm(send: (text: string) => boolean, leave: () => void): SayForm {
  const form = findElement(HTMLFormElement, 'say-form')
  const field = findElement(HTMLInputElement, 'say', form)
  let sent: string | undefined
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (send(field.value)) sent = field.value
  })
  return {
    show: (isShown) => (form.hidden = !isShown),
    heard() {
      // If the player has begun another remark meanwhile, it stays.
      if (sent === undefined || field.value !== sent) return
      sent = undefined
      field.value = ''
      if (document.activeElement === field || document.activeElement === document.body) leave()
    },
  }
}
