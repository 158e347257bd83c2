/** A wallet in the browser, as EIP-1193 describes it. */
export interface Wallet {
  readonly request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>
}

const isWallet = (value: unknown): value is Wallet =>
  typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function'

/** Wallets that made themselves known (EIP-6963); several extensions may share one browser. */
const announced: Wallet[] = []

/** Asks every wallet to make itself known. */
export function listenForWallets(onFound: () => void): void {
  window.addEventListener('eip6963:announceProvider', (event) => {
    const detail: unknown = event instanceof CustomEvent ? event.detail : undefined
    if (typeof detail !== 'object' || detail === null || !('provider' in detail) || !isWallet(detail.provider)) return
    announced.push(detail.provider)
    onFound()
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
}

/** The wallet of this browser, if it has one. */
export function findWallet(): Wallet | undefined {
  const injected: unknown = 'ethereum' in window ? window.ethereum : undefined
  return announced[0] ?? (isWallet(injected) ? injected : undefined)
}

/** Whether somebody pressed "no" in the wallet. */
export const isRefusal = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 4001
