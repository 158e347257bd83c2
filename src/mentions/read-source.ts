import { Parser } from 'htmlparser2'
import { toOneLine } from '../core/one-line.ts'

/** What a mention needs to know of its page. */
export interface Source {
  /** Whether one of its links leads to the target. */
  readonly links: boolean
  /** The author that the page names; cut to one line of `mostSigns`. */
  readonly author: string | undefined
}

const mostSigns = 80
/** The attribute by which each element links, embeds or quotes. */
const addresses: Readonly<Record<string, string>> = {
  ...{ a: 'href', area: 'href', link: 'href', blockquote: 'cite', q: 'cite', ins: 'cite', del: 'cite' },
  ...{ img: 'src', audio: 'src', video: 'src', source: 'src', iframe: 'src', embed: 'src' },
}

/**
 * Reads a page that is said to mention one of ours. Links in comments, scripts and templates do not count. The author
 * is taken from microformats (`p-author`), else from `<meta name="author">`.
 *
 * @param isTarget whether an absolute URL is that of the mentioned page
 */
export function readSource(html: string, pageUrl: string, isTarget: (url: URL) => boolean): Source {
  let base = pageUrl
  let links = false
  let meta: string | undefined
  let marked = ''
  let templates = 0
  /** Depth of nesting within the element that names the author; 0 before it, -1 after it. */
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
