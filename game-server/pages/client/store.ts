import { copyOnClick } from './copy-on-click.ts'
import { findElement } from './find-element.ts'
import { showOwnThings } from './own-things.ts'
import {
  type Authorization,
  findKept,
  hasEnded,
  type Purchase,
  readAuthorization,
  readKept,
  type SignedPurchase,
} from './payment/kept-purchases.ts'
import type { Terms } from './payment/read-terms.ts'
import { toReceipt } from './payment/receipt.ts'
import { sign } from './payment/sign.ts'
import { type Answer, askTerms, unlock } from './payment/unlock.ts'
import { findWallet, listenForWallets, type Wallet } from './payment/wallet.ts'
import { readPlayerKey } from './player-key.ts'
import { postJson } from './post-json.ts'
import { type Fields, readText } from './read-value.ts'

const store = findElement(HTMLElement, 'store')
const nameField = findElement(HTMLInputElement, 'store-name', store)
const redeemToken = findElement(HTMLInputElement, 'redeem-token', store)
const redeemStatus = findElement(HTMLElement, 'redeem-status', store)
const isSandbox = store.dataset['sandbox'] === 'yes'
const products = [...store.querySelectorAll<HTMLElement>('[data-sku]')]

const statusOf = (sku: string): HTMLElement => {
  const product = products.find((each) => each.dataset['sku'] === sku)
  return findElement(HTMLElement, 'status', product ?? store)
}

const say = (sku: string, ...content: readonly (string | Node)[]): void => statusOf(sku).replaceChildren(...content)

nameField.value = readPlayerKey()?.name ?? ''
redeemToken.value = readPlayerKey()?.token ?? ''
nameField.addEventListener('input', writeCommands)
writeCommands()
void showOwnThings()
listenForWallets(showWallets)
showWallets()

for (const product of products) {
  const sku = product.dataset['sku'] ?? ''
  findElement(HTMLButtonElement, 'pay', product).addEventListener('click', () => void buy(sku))
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

for (const unfinished of readKept()) if (!unfinished.isDeclined) void see(unfinished, { is: 'pending', waitMs: 0 })

function showWallets(): void {
  const hasWallet = findWallet() !== undefined
  for (const product of products) findElement(HTMLButtonElement, 'pay', product).disabled = !hasWallet
  findElement(HTMLElement, 'no-wallet', store).hidden = hasWallet
}

/** The commands carry the name that was typed, so that they can be copied as they stand. */
function writeCommands(): void {
  const name = nameField.value.trim() || 'YourName'
  for (const code of store.querySelectorAll<HTMLElement>('[data-command]')) {
    code.dataset['command'] ||= code.textContent
    // A name that is none could end the quotes of a command.
    const isName = new RegExp(`^(?:${nameField.pattern})$`, 'v').test(name)
    code.textContent = code.dataset['command'].replace('YourName', isName ? name : 'YourName')
  }
}

async function buy(sku: string): Promise<void> {
  const wallet = findWallet()
  if (!wallet || !nameField.reportValidity()) return
  const purchase: Purchase = { sku, playerName: nameField.value.trim() }
  const kept = findKept(purchase)
  if (kept) return goOn(wallet, kept)
  say(sku, 'Asking for the terms…')
  const asked = await askTerms(purchase)
  if (asked.is !== 'terms') return tell({ ...purchase, header: '' }, asked)
  if (asked.isOwned) return say(sku, `${purchase.playerName} has this already. Nothing was charged.`)
  return pay(wallet, purchase, asked.terms)
}

/** Sends what was signed before; only when the store wants something else is another signed, in its place. */
async function goOn(wallet: Wallet, kept: SignedPurchase): Promise<void> {
  say(kept.sku, 'Sending what you signed before…')
  const answer = await settle(kept, { is: 'pending', waitMs: 0 })
  const earlier = readAuthorization(kept)
  if (answer.is !== 'terms' || answer.isOwned) return tell(kept, answer)
  if (hasEnded(earlier)) return pay(wallet, kept, answer.terms)
  return isOther(answer.terms, earlier) ? pay(wallet, kept, answer.terms, earlier) : tell(kept, answer)
}

/** The same terms deserve the same signature, unless that has too little time left. */
function isOther({ amount, payTo, required }: Terms, earlier: Authorization): boolean {
  const isSame = amount === earlier.amount && payTo.toLowerCase() === earlier.payTo.toLowerCase()
  return !isSame || /valid_before|expired/.test(readText(required['error']))
}

async function pay(wallet: Wallet, purchase: Purchase, terms: Terms, earlier?: Authorization): Promise<void> {
  const { sku, playerName } = purchase
  const still = earlier ? `What you signed before ends at ${toTime(earlier)}.` : 'Nothing was charged.'
  say(
    sku,
    earlier
      ? 'Your wallet asks you to sign again: a payment in place of the one before. Only one of the two can be taken.'
      : 'Your wallet asks you to sign. It is one payment of exactly this price; no other is allowed by it.',
  )
  const signed = await sign(wallet, terms, { isSandbox, earlier })
  switch (signed.is) {
    case 'signed': {
      say(sku, 'Paying…')
      const next = { sku, playerName, header: signed.header }
      return see(next, await unlock(next))
    }
    case 'refused':
      return say(sku, `You said no in the wallet. ${still}`)
    case 'other-wallet':
      return say(sku, `You signed before with the wallet ${earlier?.payer ?? ''}; choose that one again. ${still}`)
    case 'wrong-chain':
      return say(sku, `Your wallet is on another chain. Switch it to Base (8453) and try again. ${still}`)
    case 'real-money':
      return say(
        sku,
        'This store is a sandbox and your wallet holds real money, so it was not asked to sign. Use the command below, or a wallet on the sandbox chain.',
      )
    case 'failed':
      return say(sku, `The wallet did not sign: ${signed.reason}. ${still}`)
  }
}

/** Asks until it is known what became of a signed purchase. */
async function settle(purchase: SignedPurchase, first: Answer): Promise<Answer> {
  let answer = first
  while (answer.is === 'pending') {
    say(purchase.sku, 'Waiting for the chain. The same signature is sent until it is known; you cannot pay twice.')
    const { waitMs } = answer
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    answer = await unlock(purchase)
  }
  return answer
}

/** Tells how a purchase went. */
async function see(purchase: SignedPurchase, first: Answer): Promise<void> {
  return tell(purchase, await settle(purchase, first))
}

function tell(purchase: SignedPurchase, answer: Answer): void | Promise<void> {
  const { sku, playerName, header } = purchase
  switch (answer.is) {
    case 'done':
      say(sku, ...toReceipt(answer, store.dataset['base'] ?? ''))
      return showOwnThings()
    case 'owned':
      return say(sku, `${playerName} has this already, and the store took nothing for it.`)
    case 'terms':
    case 'refused':
      return say(
        sku,
        header === ''
          ? `${answer.reason} Nothing was charged.`
          : `${answer.reason} What you signed stays good until ${toTime(readAuthorization(purchase))}. The button sends the same again, and anything else you sign before then only takes its place: one of the two can be taken, never both.`,
      )
    case 'pending':
      return undefined
  }
}

function toTime({ endMs }: Authorization): string {
  return new Date(endMs).toLocaleTimeString()
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
      : 'The store does not answer. Ask again: it takes the credits once.'
  await showOwnThings()
}

const toRedeemed = (name: string, body: Fields): string =>
  body['status'] === 'already_owned'
    ? `${name} has this already. No credits were taken.`
    : `Done. ${String(body['charged'])} credits spent, ${String(body['credits'])} left.`
