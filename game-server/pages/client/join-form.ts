import { findElement } from '../../../src/browser/find-element.ts'
import { copyOnClick } from './copy-on-click.ts'
import { type PlayerKey, readPlayerKey } from './player-key.ts'

/** The first screen. It asks for a name; a player may also enter a token. */
export function makeJoinForm(
  onEnter: (door: { readonly name: string; readonly wantsText: boolean; readonly token: string }) => void,
): {
  /**
   * @param former a stored key that the host has refused, and that the next one will overwrite
   */
  open: (reason?: string, former?: PlayerKey) => void
  /** Shows a message on this screen; an empty one removes it. */
  tell: (text: string) => void
  close: () => void
} {
  const door = findElement(HTMLElement, 'door')
  const form = findElement(HTMLFormElement, 'door-form', door)
  const field = findElement(HTMLInputElement, 'door-name', door)
  const tokenField = findElement(HTMLInputElement, 'door-token', door)
  const refusal = findElement(HTMLElement, 'door-refusal', door)
  const formerKey = findElement(HTMLElement, 'door-former', door)
  const formerTold = findElement(HTMLElement, 'door-former-told', door)
  const enter = (wantsText: boolean): void =>
    onEnter({ name: field.value.trim(), wantsText, token: tokenField.value.trim() })
  let told = ''
  let token = ''
  copyOnClick(
    findElement(HTMLButtonElement, 'door-former-copy', door),
    () => token,
    (isCopied) => (formerTold.textContent = isCopied ? 'Copied. With it you can try again later.' : token),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    enter(false)
  })
  findElement(HTMLButtonElement, 'door-text', door).addEventListener('click', () => {
    if (form.reportValidity()) enter(true)
  })
  return {
    open(reason = '', former) {
      refusal.textContent = reason
      token = former?.token ?? ''
      if (!former) field.value ||= readPlayerKey()?.name ?? ''
      formerKey.hidden = !former
      formerTold.textContent = former
        ? `This browser still has the key of ${former.name}, and nobody can show it again. It will forget that key when you play under a new name.`
        : ''
      door.hidden = false
      field.focus()
    },
    tell(text) {
      // A refusal stays until the player tries again.
      if (text !== told && (text !== '' || refusal.textContent === told)) refusal.textContent = text
      told = text
    },
    close() {
      tokenField.value = ''
      door.hidden = true
    },
  }
}
