import { findElement } from '../../../src/browser/find-element.ts'

/** The form for chat with the people in the same realm. */
export interface SayForm {
  /**
   * Call it with whether another person is in the realm. The form is hidden for a player who is alone, unless they are
   * writing: keys that they press then must not go to the game.
   */
  readonly show: (hasCompany: boolean) => void
  /** Call it when this player's own remark came back from the host. */
  readonly heard: () => void
}

/**
 * Connects the chat form. The text stays in the field until the host has sent it to everybody, because the host may
 * refuse it.
 *
 * @param send sends the text; false when there is no connection
 * @param tellAlone tells the player that nobody would read the text
 * @param leave moves the focus back to the game
 */
export function makeSayForm(send: (text: string) => boolean, tellAlone: () => void, leave: () => void): SayForm {
  const form = findElement(HTMLFormElement, 'say-form')
  const field = findElement(HTMLInputElement, 'say', form)
  let sent: string | undefined
  let hasCompany = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!hasCompany) tellAlone()
    else if (send(field.value)) sent = field.value
  })
  const showFor = (focused: EventTarget | null) => {
    form.hidden = !hasCompany && !(focused instanceof Node && form.contains(focused))
  }
  form.addEventListener('focusout', ({ relatedTarget }) => showFor(relatedTarget))
  return {
    show(has) {
      hasCompany = has
      showFor(document.activeElement)
    },
    heard() {
      // If the player has begun another remark meanwhile, it stays.
      if (sent === undefined || field.value !== sent) return
      sent = undefined
      field.value = ''
      if (document.activeElement === field || document.activeElement === document.body) leave()
    },
  }
}
