import { findElement } from '../../../src/browser/find-element.ts'
import { makeElement } from '../../../src/browser/make-element.ts'
import { type Fields, readText } from '../../../src/browser/read-value.ts'
import { readKept, type SignedPurchase } from '../../../src/checkout/kept-purchases.ts'
import { openPanel } from '../../../src/checkout/panel.ts'
import { readAnswer } from '../../../src/checkout/send.ts'
import { listenForWallets } from '../../../src/checkout/wallet.ts'
import { copyOnClick } from './copy-on-click.ts'
import { showOwnThings } from './own-things.ts'
import { readPlayerKey } from './player-key.ts'
import { postJson } from './post-json.ts'
import { toReceipt } from './store-receipt.ts'

const store = findElement(HTMLElement, 'store')
const nameField = findElement(HTMLInputElement, 'store-name', store)
const redeemToken = findElement(HTMLInputElement, 'redeem-token', store)
const redeemStatus = findElement(HTMLElement, 'redeem-status', store)

nameField.value = readPlayerKey()?.name ?? ''
redeemToken.value = readPlayerKey()?.token ?? ''
nameField.addEventListener('input', writeCommands)
writeCommands()
void showOwnThings()
listenForWallets()

for (const product of store.querySelectorAll<HTMLElement>('[data-sku]')) {
  sell(product)
  for (const button of product.querySelectorAll<HTMLButtonElement>('[data-copy]'))
    copyOnClick(
      button,
      () => button.parentElement?.querySelector('code')?.textContent ?? '',
      (isCopied) => (button.textContent = isCopied ? 'Copied' : 'Select it and copy it by hand'),
    )
}
findElement(HTMLFormElement, 'redeem', store).addEventListener('submit', (event) => {
  event.preventDefault()
  void redeem()
})

/** Puts the entered name into the shown commands, so that they can be copied as they are. */
function writeCommands(): void {
  const name = nameField.value.trim() || 'YourName'
  for (const code of store.querySelectorAll<HTMLElement>('[data-command]')) {
    code.dataset['command'] ||= code.textContent
    // An invalid name could end the quotes of a command.
    const isName = new RegExp(`^(?:${nameField.pattern})$`, 'v').test(name)
    code.textContent = code.dataset['command'].replace('YourName', isName ? name : 'YourName')
  }
}

/** Sets up the purchase of a product, and resumes purchases of it that were signed before. */
function sell(product: HTMLElement): void {
  const sku = product.dataset['sku'] ?? ''
  const panel = openPanel(product, {
    order() {
      if (!nameField.reportValidity()) return undefined
      const playerName = nameField.value.trim()
      const body = JSON.stringify({ sku, playerName })
      return { id: `${sku} ${playerName}`, method: 'POST', path: '/api/store/unlock', body }
    },
    heard({ alreadyOwned }) {
      if (alreadyOwned === true) panel.say(`${nameField.value.trim()} has this already. Nothing was charged.`)
      return alreadyOwned === true
    },
    async hand(delivery) {
      const body = await readAnswer(delivery.product)
      if (body['status'] === 'already_owned')
        return panel.say(`${readText(body['player'])} has this already, and the store took nothing for it.`)
      panel.say(makeElement('p', 'paid', `Paid. It belongs to ${readText(body['player'])} now. Thank you.`))
      // Appended, so that it does not replace the token of an earlier purchase, which is shown only once.
      findElement(HTMLElement, 'bought', product).append(toReceipt(body, delivery, store.dataset['base'] ?? ''))
      await showOwnThings()
    },
  })
  void resumeAll(readKept().filter(({ id, declined }) => id.startsWith(`${sku} `) && !declined))

  /** Resumes purchases one after the other, because a panel has only one status line. */
  async function resumeAll(all: readonly SignedPurchase[]): Promise<void> {
    for (const kept of all) await panel.resume(kept)
  }
}

async function redeem(): Promise<void> {
  const sku = findElement(HTMLSelectElement, 'redeem-sku', store).value
  const request = { playerName: nameField.value.trim(), sku, resumeToken: redeemToken.value.trim() }
  if (!nameField.reportValidity() || !redeemToken.reportValidity()) return
  redeemStatus.textContent = 'Counting credits…'
  const answer = await postJson('/api/credits/redeem', request)
  redeemStatus.textContent = answer.isOk
    ? toRedeemed(request.playerName, answer.body)
    : answer.detail
      ? `${answer.detail}.`
      : 'The store does not answer. Press again: it takes the credits only once.'
  await showOwnThings()
}

const toRedeemed = (name: string, body: Fields): string =>
  body['status'] === 'already_owned'
    ? `${name} has this already. No credits were taken.`
    : `Done. ${String(body['charged'])} credits spent, ${String(body['credits'])} left.`
