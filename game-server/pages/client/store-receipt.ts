import { makeElement } from '../../../src/browser/make-element.ts'
import { type Fields, readText } from '../../../src/browser/read-value.ts'
import type { Delivery } from '../../../src/checkout/send.ts'
import { copyOnClick } from './copy-on-click.ts'
import { keepPlayerKey, readPlayerKey } from './player-key.ts'

/**
 * The element that is shown after a purchase: a link to the receipt, and the token of a new name.
 *
 * @param body the response of the store
 * @param baseUrl the URL of the site, which serves the receipts
 */
export function toReceipt(
  body: Fields,
  { receipt, transaction }: Pick<Delivery, 'receipt' | 'transaction'>,
  baseUrl: string,
): HTMLElement {
  const player = readText(body['player'])
  const box = makeElement('div', '')
  if (receipt) {
    const link = makeElement('a', '', `Receipt for ${player}`)
    link.href = `${baseUrl}/receipts/${encodeURIComponent(receipt)}`
    box.append(makeElement('p', 'fine', link, transaction && ` · transaction ${transaction}`))
  }
  const token = readText(body['resumeToken'])
  if (token) box.append(toTokenBox(player, token))
  return box
}

/** Shows the token of a name that this purchase created. It is shown only once. */
function toTokenBox(name: string, token: string): HTMLElement {
  const copy = makeElement('button', '', 'Copy')
  const use = makeElement('button', 'first', `Play as ${name} here`)
  const told = makeElement('p', 'fine')
  told.setAttribute('role', 'status')
  copyOnClick(
    copy,
    () => token,
    (isCopied) => (told.textContent = isCopied ? 'Copied.' : 'Select it and copy it by hand.'),
  )
  const choices = makeElement('div', 'choices', copy, use)
  /** The stored token about whose loss the player was warned. */
  let warned: string | undefined
  use.addEventListener('click', () => {
    const other = readPlayerKey()
    if (!other || other.token === token || other.token === warned) {
      keepPlayerKey({ name, token })
      told.textContent = `This browser plays as ${name} now.`
      return
    }
    warned = other.token
    told.textContent = `This browser plays as ${other.name}. It would forget that key, and nobody can show it again. Copy it first, or press again to forget it.`
    const copyOther = makeElement('button', '', `Copy the key of ${other.name}`)
    copyOnClick(
      copyOther,
      () => other.token,
      (isCopied) => (told.textContent = isCopied ? `Copied the key of ${other.name}.` : other.token),
    )
    choices.append(copyOther)
  })
  return makeElement(
    'div',
    'token-box',
    makeElement(
      'p',
      '',
      `This is the key to the name ${name}. It is shown once. Whoever has it can play as ${name}; if you lose it, the name is lost.`,
    ),
    makeElement('code', '', token),
    choices,
    told,
  )
}
