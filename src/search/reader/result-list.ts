import type { ShownResult } from './shown-result.ts'

/** Lets the arrow keys move through the results, and Escape back into the search box. */
export function walkResults(page: Document, input: HTMLElement, links: () => readonly HTMLElement[]): void {
  page.addEventListener('keydown', (event) => {
    // During composition (IME) the same keys choose among letters.
    if (event.isComposing) return
    const all = links()
    const place = page.activeElement instanceof HTMLElement ? all.indexOf(page.activeElement) : -1
    const isTyping = page.activeElement === input
    if (event.key === 'ArrowDown' && (isTyping || place >= 0)) all[Math.min(place + 1, all.length - 1)]?.focus()
    else if (event.key === 'ArrowUp' && place >= 0) (all[place - 1] ?? input).focus()
    else if (event.key === 'Escape' && place >= 0) input.focus()
    else return
    event.preventDefault()
  })
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", amp: '&' }

interface Places {
  readonly list: HTMLElement
  readonly status: HTMLElement
  /** The element with the button for more results. */
  readonly more: HTMLElement
}

/** The list of results on a page. */
export function makeResultList(page: Document, { list, status, more }: Places) {
  /** Sets the status line, which screen readers announce. */
  const say = (sentence: string): void => {
    status.textContent = sentence
  }

  function toLink(href: string, text: string): HTMLElement {
    const link = page.createElement('a')
    link.href = href
    link.textContent = text
    return link
  }

  function toItem({ url, title, snippet, about, listenUrl }: ShownResult): HTMLElement {
    const item = page.createElement('li')
    const heading = page.createElement('h2')
    const kind = page.createElement('p')
    const text = page.createElement('p')
    heading.append(toLink(url, title))
    kind.className = 'fine'
    kind.append(about)
    if (listenUrl !== undefined) kind.append(' · ', toLink(listenUrl, 'Listen from here'))
    text.append(...markedNodes(page, snippet))
    item.append(heading, kind, text)
    return item
  }

  return {
    say,
    /** Replaces the results. `showMore` is called when the user wants more; undefined when there are none. */
    show(found: readonly ShownResult[], sentence: string, showMore?: () => void): void {
      list.replaceChildren(...found.map(toItem))
      say(sentence)
      more.toggleAttribute('hidden', !showMore)
      const button = more.querySelector('button')
      if (button) button.onclick = showMore ?? null
    },
    links: () => [...list.querySelectorAll<HTMLElement>('h2 a')],
  }
}

/** Converts an excerpt, whose only markup is `<mark>`, to nodes; everything else is inserted as text. */
const markedNodes = (page: Document, html: string): Node[] =>
  html.split(/<mark>(.*?)<\/mark>/s).map((part, place) => {
    const text = part.replace(/&(lt|gt|quot|#39|#x27|amp);/g, (_, name: string) => entities[name] ?? '')
    if (place % 2 === 0) return page.createTextNode(text)
    const mark = page.createElement('mark')
    mark.textContent = text
    return mark
  })
