import { makeElement } from '../browser/make-element.ts'
import type { Delivery } from './send.ts'

/** Longer texts are shown to here, and are whole in their file. */
const mostCharacters = 40_000

/** Shows what was bought, with a link that saves it under its name and one to the receipt, and leads the reader there. */
export async function showProduct(
  place: HTMLElement,
  { product, headers, receipt, transaction }: Delivery,
): Promise<void> {
  const name = toFileName(headers.get('content-disposition'))
  const url = URL.createObjectURL(product)
  const heading = makeElement('h2', '', `Yours: ${name}`)
  heading.tabIndex = -1
  const save = makeElement('a', 'save', `Save ${name} (${toSize(product.size)})`)
  Object.assign(save, { href: url, download: name })
  const links = makeElement('p', '', save)
  if (receipt) {
    const link = makeElement('a', '', 'Receipt')
    link.href = `/receipts/${encodeURIComponent(receipt)}`
    links.append(' ', link)
  }
  const proof = transaction ? [makeElement('p', 'fine', 'Transaction ', makeElement('code', '', transaction))] : []
  place.replaceChildren(heading, await toView(product, url, headers), links, ...proof)
  place.hidden = false
  heading.focus()
}

/** The name of the file, without a folder. */
const toFileName = (disposition: string | null): string =>
  /filename="([^"]+)"/.exec(disposition ?? '')?.[1]?.replace(/.*[\\/]/, '') || 'product'

const toSize = (bytes: number): string => (bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} KB`)

async function toView(product: Blob, url: string, headers: Headers): Promise<HTMLElement> {
  const [kind] = product.type.split('/', 1)
  if (kind === 'image') {
    const picture = makeElement('img', '')
    return Object.assign(picture, { src: url, alt: toWords(headers.get('x-image-alt')) })
  }
  if (kind === 'audio') return Object.assign(makeElement('audio', ''), { src: url, controls: true })
  const isText = kind === 'text' || product.type.includes('json')
  if (!isText) return makeElement('p', '', 'It cannot be shown here, only saved.')
  return toText(await product.text(), product.type.includes('json'))
}

function toText(text: string, isJson: boolean): HTMLElement {
  const whole = isJson ? indent(text) : text
  const isLong = whole.length > mostCharacters
  const shown = isLong ? `${whole.slice(0, mostCharacters)}\n… the rest is in the file` : whole
  const view = makeElement('pre', 'sample', makeElement('code', '', shown))
  // What is higher than its place scrolls, also for a keyboard.
  return Object.assign(view, { tabIndex: 0, role: 'group', ariaLabel: 'What you bought' })
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Percent-encoded words; as they came when they are no such. */
function toWords(encoded: string | null): string {
  try {
    return decodeURIComponent(encoded ?? '')
  } catch {
    return encoded ?? ''
  }
}
