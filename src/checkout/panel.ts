import { findElement } from '../browser/find-element.ts'
import { toDisplay } from '../core/money.ts'
import { buy, type Counter, resume } from './buy.ts'
import { chooseWallet } from './choose-wallet.ts'
import type { Purchase, SignedPurchase } from './kept-purchases.ts'
import { toTestWallet } from './test-wallet.ts'
import type { Wallet } from './wallet.ts'

/** What the buttons need to know about their product. */
export interface Goods extends Pick<Counter, 'heard' | 'hand'> {
  /** The request that buys it; undefined while the buyer has to fill in something first. */
  order(): Purchase | undefined
}

/**
 * Makes the buttons of a page sell: in `[data-checkout]` a button to buy (`[data-buy]`), another that pays with the
 * buyer's own wallet where there is a test wallet, too (`[data-buy-own]`), a status line, and room for a choice of
 * wallets.
 */
export function openPanel(panel: HTMLElement, goods: Goods) {
  const { testWallet } = panel.dataset
  const status = findElement(HTMLElement, 'status', panel)
  const list = findElement(HTMLElement, 'wallets', panel)
  const own = panel.querySelector<HTMLElement>('[data-buy-own]')
  const isSandbox = testWallet !== undefined
  const say: Counter['say'] = (...content) => status.replaceChildren(...content)
  const chooseOwn = () => chooseWallet({ list, isSandbox, say })

  const toCounter = (choose: Counter['choose']): Counter => ({
    ...goods,
    isSandbox,
    say,
    choose,
    agrees: (amount) => showPrice(panel, amount),
  })

  const press = (choose: () => Promise<Wallet | undefined>): void => {
    const order = isBuying(panel) ? undefined : goods.order()
    if (order) void alone(panel, order.id, say, () => buy(toCounter(choose), order))
  }
  findElement(HTMLButtonElement, 'buy', panel).addEventListener('click', (event) => {
    event.preventDefault()
    press(testWallet === undefined ? chooseOwn : async () => toTestWallet(testWallet))
  })
  own?.addEventListener('click', () => press(chooseOwn))
  return {
    say,
    /** Continues with a signature from before the page was opened. */
    resume: (kept: SignedPurchase) => alone(panel, kept.id, say, () => resume(toCounter(chooseOwn), kept)),
  }
}

/** Shows a price (micro-USD) on the button; returns whether it was shown already. */
export function showPrice(panel: HTMLElement, amount: string): boolean {
  if (panel.dataset['amount'] === amount) return true
  panel.dataset['amount'] = amount
  for (const price of panel.querySelectorAll('[data-price]')) price.textContent = toDisplay(BigInt(amount))
  return false
}

/**
 * Whether a purchase is in progress here. It does not use `aria-busy`, which would hide the status from screen readers.
 */
export const isBuying = (panel: HTMLElement): boolean => panel.matches(':has([aria-disabled])')

/**
 * Allows one purchase at a time on this page, and for each product among the tabs of this browser where it has locks.
 */
async function alone(panel: HTMLElement, id: string, say: Counter['say'], work: () => Promise<void>): Promise<void> {
  const buttons = panel.querySelectorAll<HTMLElement>('[data-buy],[data-buy-own]')
  const disable = (isDisabled: 'true' | null): void => {
    for (const button of buttons) button.ariaDisabled = isDisabled
  }
  disable('true')
  try {
    if (!('locks' in navigator)) await work()
    else
      await navigator.locks.request(`farthing ${id}`, { ifAvailable: true }, async (lock) => {
        if (lock) await work()
        else say('Another tab is buying this.')
      })
  } finally {
    disable(null)
  }
}
