import type { Found } from './load-pagefind.ts'
import { markedNodes } from './marked-nodes.ts'

/** Where results go. */
export interface ResultList {
  /** Tells readers and screen readers how it stands. */
  say(sentence: string): void
  /** Replaces the results; `showMore` is called when more are wanted, and left out when there are no more. */
  show(found: readonly Found[], sentence: string, showMore?: () => void): void
  readonly links: () => HTMLElement[]
}

interface Places {
  readonly list: HTMLElement
  readonly status: HTMLElement
  /** Holds the button for more results. */
  readonly more: HTMLElement
}

/** The results on a page. */
export function makeResultList(page: Document, { list, status, more }: Places): ResultList {
  const say = (sentence: string): void => {
    status.textContent = sentence
  }

  function toItem({ url, meta, excerpt }: Found): HTMLElement {
    const item = page.createElement('li')
    const heading = page.createElement('h2')
    const link = page.createElement('a')
    const text = page.createElement('p')
    // Pagefind names folders; our pages have no slash at the end.
    link.href = url.replace(/(?<=.)\/(?=$|[?#])/, '')
    link.textContent = meta['title'] ?? url
    text.append(...markedNodes(page, excerpt))
    heading.append(link)
    item.append(heading, text)
    return item
  }

  return {
    say,
    show(found, sentence, showMore) {
      list.replaceChildren(...found.map(toItem))
      say(sentence)
      more.toggleAttribute('hidden', !showMore)
      const button = more.querySelector('button')
      if (button) button.onclick = showMore ?? null
    },
    links: () => [...list.querySelectorAll<HTMLElement>('a')],
  }
}
