import { makeElement } from '../browser/make-element.ts'
import type { Delivery } from './send.ts'

/**
 * Shows a product, with links to save it and to the receipt, and moves the focus there. Products bought on this page
 * earlier stay below, because they may not be saved yet.
 */
export async function showProduct(
  place: HTMLElement,
  { product, headers, receipt, transaction }: Delivery,
): Promise<void> {
  const name = toFileName(headers.get('content-disposition'))
  const url = URL.createObjectURL(product)
  const heading = makeElement('h2', '', `Yours: ${name}`)
  heading.tabIndex = -1
  const save = makeElement('a', 'save', `Save ${name}`)
  Object.assign(save, { href: url, download: name })
  const links = makeElement('p', '', save)
  if (receipt) {
    const link = makeElement('a', '', 'Receipt')
    link.href = `/receipts/${encodeURIComponent(receipt)}`
    links.append(' ', link)
  }
  if (transaction) links.append(makeElement('span', 'fine', 'Transaction ', makeElement('code', '', transaction)))
  place.prepend(heading, await toView(product, url, headers), links)
  place.hidden = false
  heading.focus()
}

const toFileName = (disposition: string | null): string =>
  /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? 'product'

async function toView(product: Blob, url: string, headers: Headers): Promise<HTMLElement> {
  const [kind] = product.type.split('/', 1)
  if (kind === 'image') {
    const picture = makeElement('img', '')
    return Object.assign(picture, { src: url, alt: toWords(headers.get('x-image-alt')) })
  }
  if (kind === 'audio') return Object.assign(makeElement('audio', ''), { src: url, controls: true })
  const isJson = product.type.includes('json')
  if (!isJson && kind !== 'text') return makeElement('p', '', 'It cannot be shown here, only saved.')
  const text = await product.text()
  const view = makeElement('pre', 'sample', makeElement('code', '', isJson ? indent(text) : text))
  // A long text scrolls, also with the keyboard.
  return Object.assign(view, { tabIndex: 0, role: 'group', ariaLabel: 'What you bought' })
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Decodes percent-encoded text; returns it unchanged when it is not valid. */
function toWords(encoded: string | null): string {
  try {
    return decodeURIComponent(encoded ?? '')
  } catch {
    return encoded ?? ''
  }
}
