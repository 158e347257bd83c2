import { copyOnClick } from './copy-on-click.ts'
import { findElement } from './find-element.ts'
import { makeElement } from './make-element.ts'
import { showOwnThings } from './own-things.ts'
import { sign } from './payment/sign.ts'
import { type Answer, askTerms, type Purchase, readUnfinished, type SignedPurchase, unlock } from './payment/unlock.ts'
import { findWallet, listenForWallets } from './payment/wallet.ts'
import { keepPlayerKey, readPlayerKey } from './player-key.ts'
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

const unfinished = readUnfinished()
if (unfinished) void see(unfinished, { is: 'pending', waitMs: 0 })

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
    const isName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,23}$/.test(name)
    code.textContent = code.dataset['command'].replace('YourName', isName ? name : 'YourName')
  }
}

async function buy(sku: string): Promise<void> {
  const wallet = findWallet()
  if (!wallet || !nameField.reportValidity()) return
  const purchase: Purchase = { sku, playerName: nameField.value.trim() }
  say(sku, 'Asking for the terms…')
  const asked = await askTerms(purchase)
  if (asked.is === 'terms' && asked.isOwned)
    return say(sku, `${purchase.playerName} has this already. Nothing was charged.`)
  if (asked.is !== 'terms') return see({ ...purchase, header: '' }, asked)
  say(sku, 'Your wallet asks you to sign. It is one payment of exactly this price; no other is allowed by it.')
  const signed = await sign(wallet, asked.terms, isSandbox)
  switch (signed.is) {
    case 'signed':
      say(sku, 'Paying…')
      return see({ ...purchase, header: signed.header }, await unlock({ ...purchase, header: signed.header }))
    case 'refused':
      return say(sku, 'You said no in the wallet. Nothing was charged.')
    case 'wrong-chain':
      return say(sku, 'Your wallet is on another chain. Switch it to Base (8453) and try again; nothing was charged.')
    case 'real-money':
      return say(
        sku,
        'This store is a sandbox and your wallet holds real money, so it was not asked to sign. Use the command below, or a wallet on the sandbox chain.',
      )
    case 'failed':
      return say(sku, `The wallet did not sign: ${signed.reason}. Nothing was charged.`)
  }
}

/** Tells how a purchase went; one that is not known yet is asked for again with the same signature. */
async function see(purchase: SignedPurchase, first: Answer): Promise<void> {
  let answer = first
  while (answer.is === 'pending') {
    say(purchase.sku, 'Waiting for the chain. The same signature is sent until it is known; you cannot pay twice.')
    const { waitMs } = answer
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    answer = await unlock(purchase)
  }
  switch (answer.is) {
    case 'done':
      say(purchase.sku, ...toReceipt(answer))
      return showOwnThings()
    case 'owned':
      return say(purchase.sku, `${purchase.playerName} has this already. Nothing was charged.`)
    case 'terms':
    case 'refused':
      return say(purchase.sku, answer.is === 'refused' ? `${answer.reason} Nothing was charged.` : '')
  }
}

function toReceipt({ body, receipt, transaction }: Extract<Answer, { is: 'done' }>): Node[] {
  const player = readText(body['player'])
  const lines: Node[] = [makeElement('p', 'paid', `Paid. It belongs to ${player} now. Thank you.`)]
  if (receipt) {
    const link = makeElement('a', '', 'Receipt')
    link.href = `${store.dataset['base'] ?? ''}/receipts/${encodeURIComponent(receipt)}`
    lines.push(makeElement('p', 'fine', link, transaction && ` · transaction ${transaction}`))
  }
  const token = readText(body['resumeToken'])
  if (token) lines.push(toTokenBox(player, token))
  return lines
}

/** The key of a name that this purchase created, which nobody will ever be able to show again. */
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
  use.addEventListener('click', () => {
    keepPlayerKey({ name, token })
    told.textContent = 'This browser knows you now.'
  })
  return makeElement(
    'div',
    'token-box',
    makeElement(
      'p',
      '',
      `This is the key to the name ${name}. It is shown once. Who has it is ${name}; who loses it, is not.`,
    ),
    makeElement('code', '', token),
    makeElement('div', 'choices', copy, use),
    told,
  )
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
