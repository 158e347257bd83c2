import { type Fields, readFields, readList, readText } from '../browser/read-value.ts'
import { findKept, type Purchase } from './kept-purchases.ts'
import { isBuying, openPanel, showPrice } from './panel.ts'
import { readForm } from './read-form.ts'
import { askTerms } from './send.ts'
import { showProduct } from './show-product.ts'
import { listenForWallets } from './wallet.ts'

/** The pause in typing after which the price is requested. */
const restMs = 400

/** Makes the button of a product page buy. */
export function startCheckout(root: ParentNode): void {
  const form = root.querySelector<HTMLFormElement>('[data-checkout]')
  const place = root.querySelector<HTMLElement>('[data-bought]')
  if (!form || !place) return
  listenForWallets()
  const toPurchase = (): Purchase => readForm(form)
  const panel = openPanel(form, {
    order: () => (form.reportValidity() ? toPurchase() : undefined),
    heard(body) {
      const isMarked = markFaults(form, body)
      if (isMarked) panel.say('Mend what is marked, and press again. Nothing was charged.')
      return isMarked
    },
    async hand(delivery) {
      const isOwned = delivery.headers.get('x-charged') === 'false'
      panel.say(isOwned ? 'You own this already. Nothing was charged, and here it is.' : 'Paid, and here it is.')
      await showProduct(place, delivery)
    },
  })
  form.addEventListener('input', ({ target }) => {
    if (target instanceof Element) unmark(target)
  })
  if ('dynamic' in form.dataset) priceAsTyped(form, toPurchase)
  const kept = findKept(toPurchase().id)
  if (kept && !kept.declined) void panel.resume(kept)
}

/** Requests the price of the current input after each pause in typing. */
function priceAsTyped(form: HTMLFormElement, toPurchase: () => Purchase): void {
  let rest = 0
  let asked = 0
  const ask = async (): Promise<void> => {
    const turn = ++asked
    const answer = await askTerms(toPurchase())
    // Responses may arrive out of order.
    if (turn === asked && answer.is === 'terms' && !isBuying(form)) showPrice(form, answer.terms.amount)
  }
  form.addEventListener('input', () => {
    clearTimeout(rest)
    rest = window.setTimeout(() => void ask(), restMs)
  })
}

/** Shows the faults that the shop found next to their fields; false when none of them belongs to a field. */
function markFaults(form: HTMLFormElement, body: Fields): boolean {
  // A fault may have been corrected through another field.
  for (const field of form.elements) unmark(field)
  const marked = readList(body['errors'])
    .map(readFields)
    .flatMap(({ pointer, parameter, detail }) => {
      const [, name = readText(parameter), line] = readText(pointer).split('/')
      const field = form.elements.namedItem(name)
      const fault = field instanceof HTMLElement && findFault(field)
      if (!fault) return []
      field.ariaInvalid = 'true'
      fault.append(`${line ? `Line ${Number(line) + 1}` : 'It'} ${readText(detail)}. `)
      return [field]
    })
  marked[0]?.focus()
  return marked.length > 0
}

const findFault = ({ parentElement }: Element) => parentElement?.querySelector('.fault')

function unmark(field: Element): void {
  field.ariaInvalid = null
  findFault(field)?.replaceChildren()
}
