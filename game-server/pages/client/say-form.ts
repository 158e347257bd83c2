import { findElement } from '../../../src/browser/find-element.ts'

/** The line to the people in the same dungeon. */
export interface SayForm {
  /** There is nobody to talk to for who is alone. */
  readonly show: (isShown: boolean) => void
  /** What this player said went round, and came back. */
  readonly heard: () => void
}

/**
 * Takes over the form to say something. What is written stays there until it was heard: the host may refuse it, and then
 * says why elsewhere.
 *
 * @param send hands it to the host, or says that there is no line
 * @param leave leads back to the game
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
      // Whoever has begun another line meanwhile writes on.
      if (sent === undefined || field.value !== sent) return
      sent = undefined
      field.value = ''
      if (document.activeElement === field || document.activeElement === document.body) leave()
    },
  }
}
