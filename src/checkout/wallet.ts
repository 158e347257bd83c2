import { readFields, readText } from '../browser/read-value.ts'

/** A wallet in the browser, as EIP-1193 describes it. */
export interface Wallet {
  readonly request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>
}

/** A wallet with the name and icon to show. */
export interface NamedWallet {
  readonly name: string
  /** A `data:` URL of a picture; no URL is loaded for a wallet. */
  readonly icon: string | undefined
  readonly wallet: Wallet
}

const isWallet = (value: unknown): value is Wallet =>
  typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function'

/** Wallets that announced themselves (EIP-6963), by their ids; a browser may have several extensions. */
const announced = new Map<string, NamedWallet>()

/** Asks all wallets to announce themselves, and listens to them. */
export function listenForWallets(): void {
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = readFields('detail' in event ? event.detail : undefined)
    const { uuid, name, icon } = readFields(info)
    if (!isWallet(provider)) return
    announced.set(readText(uuid), {
      name: readText(name).slice(0, 40) || 'A wallet',
      icon: /^data:image\/[\w.+-]+[;,]/.test(readText(icon)) ? readText(icon) : undefined,
      wallet: provider,
    })
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
}

/** The wallets of this browser; if none has announced itself, the one at `window.ethereum`. */
export function findWallets(): readonly NamedWallet[] {
  if (announced.size > 0) return [...announced.values()]
  const injected: unknown = 'ethereum' in window ? window.ethereum : undefined
  return isWallet(injected) ? [{ name: 'Wallet', icon: undefined, wallet: injected }] : []
}

/** The code of a wallet's error: 4001 when the user declined, 4902 when it does not know a chain. */
export function codeOf(error: unknown): unknown {
  const { code, data } = readFields(error)
  // Mobile wallets wrap the original error in another one.
  return readFields(readFields(data)['originalError'])['code'] ?? code
}
