import { findElement } from '../../../src/browser/find-element.ts'

/** The first screen: a name is all that is asked for. */
export function makeJoinForm(onEnter: (name: string, wantsText: boolean) => void): {
  open: (reason?: string) => void
  close: () => void
} {
  const door = findElement(HTMLElement, 'door')
  const form = findElement(HTMLFormElement, 'door-form', door)
  const field = findElement(HTMLInputElement, 'door-name', door)
  const refusal = findElement(HTMLElement, 'door-refusal', door)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    onEnter(field.value.trim(), false)
  })
  findElement(HTMLButtonElement, 'door-text', door).addEventListener('click', () => {
    if (form.reportValidity()) onEnter(field.value.trim(), true)
  })
  return {
    open(reason = '') {
      refusal.textContent = reason
      door.hidden = false
      field.focus()
    },
    close() {
      door.hidden = true
    },
  }
}
