/** A wallet in the browser (the provider of EIP-1193). */
interface Wallet {
  readonly request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>
}

interface Named {
  readonly name: string
  readonly wallet: Wallet
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const isWallet = (value: unknown): value is Wallet =>
  typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function'
const nameOf = (info: unknown): string =>
  isObject(info) && typeof info['name'] === 'string' && info['name'] !== '' ? info['name'].slice(0, 40) : 'this wallet'

/**
 * Adds a button for each wallet of this browser (EIP-6963) to the page. After signing in, the page is reloaded and
 * shows the purchases of that wallet.
 */
export function startSignIn(root: ParentNode): void {
  const list = root.querySelector<HTMLElement>('[data-sign-in]')
  const said = root.querySelector<HTMLElement>('[data-sign-in-said]')
  if (!list || !said) return
  const known = new Set<string>()
  window.addEventListener('eip6963:announceProvider', (event) => {
    const detail: unknown = event instanceof CustomEvent ? event.detail : undefined
    if (!isObject(detail) || !isWallet(detail['provider']) || !isObject(detail['info'])) return
    const id = String(detail['info']['uuid'])
    // Wallets announce themselves again whenever any script asks. Their button is kept, because it may be in use.
    if (known.has(id)) return
    if (known.size === 0) {
      list.replaceChildren()
      said.textContent = ''
    }
    known.add(id)
    list.append(toButton({ name: nameOf(detail['info']), wallet: detail['provider'] }, said))
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  if (known.size > 0) return
  const injected: unknown = 'ethereum' in window ? window.ethereum : undefined
  if (isWallet(injected)) list.append(toButton({ name: 'the wallet of this browser', wallet: injected }, said))
  else
    said.textContent =
      'This browser has no wallet that pages can ask. Install one and load the page again, or let a program sign in as described below.'
}

function toButton({ name, wallet }: Named, said: HTMLElement): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = `Sign in with ${name}`
  button.addEventListener('click', () => {
    if (button.ariaDisabled === 'true') return
    button.ariaDisabled = 'true'
    said.textContent = 'Look at your wallet: it asks you to sign a message, which costs nothing.'
    void signIn(wallet)
      .catch(tellFailure)
      .then((failure) => {
        button.ariaDisabled = null
        if (failure === undefined) location.reload()
        else said.textContent = failure
      })
  })
  return button
}

/**
 * Signs in with a wallet.
 *
 * @returns a sentence that says why nobody is signed in; undefined after a success
 */
async function signIn(wallet: Wallet): Promise<string | undefined> {
  const accounts = await wallet.request({ method: 'eth_requestAccounts' })
  const address: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof address !== 'string') return 'The wallet showed no account, and nobody is signed in.'
  const { message, detail } = await post('/api/library/message', { address })
  if (typeof message !== 'string') return toSentence(detail)
  const bytes = [...new TextEncoder().encode(message)].map((byte) => byte.toString(16).padStart(2, '0'))
  const signature = await wallet.request({ method: 'personal_sign', params: [`0x${bytes.join('')}`, address] })
  const signed = await post('/api/library/sign-in', { message, signature })
  return typeof signed['wallet'] === 'string' ? undefined : toSentence(signed['detail'])
}

/**
 * Posts JSON and returns the JSON of the response. Without one, `detail` says that the shop, not the wallet, failed.
 */
async function post(path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  try {
    const answer: unknown = await (await fetch(path, init)).json()
    return isObject(answer) ? answer : {}
  } catch {
    return { detail: 'The shop does not answer; try again.' }
  }
}

const toSentence = (detail: unknown): string =>
  `Nobody is signed in. ${typeof detail === 'string' ? detail : 'The shop did not say why; try again.'}`

/** The sentence for an error of the wallet. Code 4001: the user declined (EIP-1193). */
const tellFailure = (error: unknown): string =>
  isObject(error) && error['code'] === 4001
    ? 'You did not sign, and nobody is signed in. Nothing was charged.'
    : 'The wallet did not sign, and nobody is signed in. Nothing was charged; try again.'
