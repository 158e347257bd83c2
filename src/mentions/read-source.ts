import { Parser } from 'htmlparser2'
import { toOneLine } from '../core/one-line.ts'

/** What a page says of itself, as far as a mention shows it. */
export interface Source {
  /** Whether one of its links leads to the target. */
  readonly links: boolean
  /** Whose page it says that it is; cut, in one line. */
  readonly author: string | undefined
}

const mostSigns = 80
/** Attributes by which an element links, embeds or quotes. */
const addresses: Readonly<Record<string, string>> = {
  ...{ a: 'href', area: 'href', link: 'href', blockquote: 'cite', q: 'cite', ins: 'cite', del: 'cite' },
  ...{ img: 'src', audio: 'src', video: 'src', source: 'src', iframe: 'src', embed: 'src' },
}

/**
 * Reads a page that is said to mention one of ours. Links in comments, scripts and templates are none; the author is
 * what microformats (`p-author`) or the page's own `<meta name="author">` say.
 *
 * @param isTarget whether an absolute address is the page that is mentioned
 */
export function readSource(html: string, pageUrl: string, isTarget: (url: URL) => boolean): Source {
  let base = pageUrl
  let links = false
  let meta: string | undefined
  let marked = ''
  let templates = 0
  /** How deep inside the element that names the author; 0 outside, below 0 once it is over. */
  let depth = 0

  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'template') templates += 1
      if (templates > 0) return
      if (depth > 0) depth += 1
      else if (depth === 0 && attributes['class']?.split(/\s+/).includes('p-author')) depth = 1
      if (name === 'base') base = URL.parse(attributes['href'] ?? '', pageUrl)?.href ?? base
      if (name === 'meta' && attributes['name']?.toLowerCase() === 'author') meta ??= attributes['content']
      const address = attributes[addresses[name] ?? '']
      const url = address === undefined ? null : URL.parse(address.trim(), base)
      if (url && isTarget(url)) links = true
    },
    ontext(text) {
      if (depth > 0 && templates === 0 && marked.length < 10 * mostSigns) marked += text
    },
    onclosetag(name) {
      if (name === 'template') templates = Math.max(0, templates - 1)
      else if (templates === 0 && depth > 0) depth = depth === 1 ? -1 : depth - 1
    },
  })
  parser.end(html)
  const author = [marked, meta ?? '']
    .map((text) => toOneLine(text.replace(/\s+/g, ' ').trim(), mostSigns).trim())
    .find((text) => text !== '')
  return { links, author }
}
