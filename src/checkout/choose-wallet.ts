import { makeElement } from '../browser/make-element.ts'
import { findWallets, type NamedWallet, type Wallet } from './wallet.ts'

/** Where to show the choice of wallets, or the message that there is none. */
interface Place {
  readonly list: HTMLElement
  readonly isSandbox: boolean
  say(...content: readonly (string | Node)[]): void
}

/**
 * Resolves to the wallet that pays: the only one, or the one that is chosen; undefined when there is none or nobody
 * chose.
 */
export async function chooseWallet(place: Place): Promise<Wallet | undefined> {
  const wallets = findWallets()
  const [only, other] = wallets
  if (!only) {
    place.say(...withoutWallet(place.isSandbox))
    return undefined
  }
  if (!other) return only.wallet
  place.say('Which wallet pays?')
  const chosen = await askWhich(place.list, wallets)
  if (!chosen) place.say('Nothing was charged.')
  return chosen
}

function askWhich(list: HTMLElement, wallets: readonly NamedWallet[]): Promise<Wallet | undefined> {
  return new Promise((resolve) => {
    const before = document.activeElement
    const leave = (chosen?: Wallet): void => {
      list.replaceChildren()
      list.onkeydown = null
      if (before instanceof HTMLElement) before.focus()
      resolve(chosen)
    }
    const toChoice = ({ name, icon, wallet }: NamedWallet): HTMLElement => toButton(leave, name, icon, wallet)
    list.replaceChildren(...wallets.map(toChoice), toButton(leave, 'None'))
    list.onkeydown = ({ key }) => {
      if (key === 'Escape') leave()
    }
    list.querySelector('button')?.focus()
  })
}

function toButton(leave: (wallet?: Wallet) => void, name: string, icon?: string, wallet?: Wallet): HTMLElement {
  const button = makeElement('button', 'wallet', name)
  button.type = 'button'
  if (icon) {
    const picture = makeElement('img', '')
    Object.assign(picture, { src: icon, alt: '', width: 24, height: 24 })
    button.prepend(picture)
  }
  button.addEventListener('click', () => leave(wallet))
  return button
}

/**
 * The message when there is no wallet. A phone gets links that open the page in the browser of a wallet app; not in a
 * sandbox, whose chain an app cannot reach.
 */
function withoutWallet(isSandbox: boolean): Node[] {
  const sorry = 'No wallet of this browser can be asked, and nothing was charged. '
  if (isSandbox || !matchMedia('(pointer: coarse)').matches)
    return [makeElement('p', '', `${sorry}Install one and load the page again, or use a command below.`)]
  const { host, pathname, search, href } = location
  const apps = [
    ['MetaMask', `https://metamask.app.link/dapp/${host}${pathname}${search}`],
    ['Coinbase Wallet', `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(href)}`],
  ] as const
  const links = apps.map(([name, address]) => {
    const link = makeElement('a', 'wallet', `Open in ${name}`)
    link.href = address
    return link
  })
  return [makeElement('p', '', `${sorry}Open this page in the browser of a wallet:`), ...links]
}
