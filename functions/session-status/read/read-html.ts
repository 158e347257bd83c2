const maxTags = 20_000
const maxLength = 300_000
const maxTextLength = 20_000

interface Tag {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly end: number
}

/**
 * What a program reads of a page: its head, and how much text there is without running scripts. Goes from its beginning
 * to its end once, tag by tag, so that no markup makes it slow.
 */
export function readHtml(page: string) {
  const html = page.slice(0, maxLength)
  /** By name or property, in lower case; the first of each. */
  const metas = new Map<string, string>()
  const links: ReadonlyMap<string, string>[] = []
  /** Bodies of `application/ld+json` scripts. */
  const jsonLd: string[] = []
  const words: string[] = []
  let [title, lang, wordsLength, hasPasswordField] = ['', '', 0, false]
  let at = 0
  for (let count = 0; count < maxTags; count += 1) {
    const open = html.indexOf('<', at)
    const text = html.slice(at, open === -1 ? undefined : open)
    if (wordsLength < maxTextLength && text.trim() !== '') {
      words.push(text.slice(0, maxTextLength))
      wordsLength += text.length
    }
    if (open === -1) break
    if (html.startsWith('<!--', open)) {
      const close = html.indexOf('-->', open + 4)
      if (close === -1) break
      at = close + 3
      continue
    }
    const tag = readTag(html, open)
    if (!tag) break
    const { name, attributes, end } = tag
    at = end
    if (/^(?:script|style|title|template|textarea|noscript)$/.test(name)) {
      const close = findClose(html, name, end)
      const content = html.slice(end, close)
      if (name === 'title' && title === '') title = decodeEntities(content).trim()
      if (/^application\/ld\+json/i.test(attributes.get('type') ?? '')) jsonLd.push(content)
      at = close
    }
    if (name === 'html') lang ||= attributes.get('lang') ?? ''
    if (name === 'link') links.push(attributes)
    if (name === 'input' && attributes.get('type')?.toLowerCase() === 'password') hasPasswordField = true
    const key = (attributes.get('name') ?? attributes.get('property') ?? '').toLowerCase()
    if (name === 'meta' && key !== '' && !metas.has(key)) metas.set(key, attributes.get('content') ?? '')
  }
  const text = decodeEntities(words.join(' ')).replace(/\s+/g, ' ').trim().slice(0, maxTextLength)
  return { title, lang, metas, links, jsonLd, text, hasPasswordField }
}

/** Raw text ends where its own end tag stands, or with the page. */
function findClose(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}`, 'gi')
  close.lastIndex = from
  return close.exec(html)?.index ?? html.length
}

const attributePart = /[\s/]+([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y

function readTag(html: string, open: number): Tag | undefined {
  const [, name = ''] = /^<\/?([a-z!?][\w:-]{0,40})?/i.exec(html.slice(open, open + 50)) ?? []
  if (name === '') return { name: '', attributes: new Map(), end: open + 1 }
  let end = open + 1
  let quote = ''
  for (; end < html.length; end += 1) {
    const sign = html.charAt(end)
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '>') break
    else if ((sign === '"' || sign === "'") && html.charAt(end - 1) === '=') quote = sign
  }
  if (end >= html.length) return undefined
  const attributes = new Map<string, string>()
  const inside = html.slice(open + 1 + name.length, Math.min(end, open + 8000))
  attributePart.lastIndex = 0
  for (let part = attributePart.exec(inside); part; part = attributePart.exec(inside)) {
    const [, key = '', double, single, bare] = part
    if (!attributes.has(key.toLowerCase()))
      attributes.set(key.toLowerCase(), decodeEntities(double ?? single ?? bare ?? ''))
  }
  return { name: html[open + 1] === '/' ? '' : name.toLowerCase(), attributes, end: end + 1 }
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['nbsp', ' '],
])
const decodeEntities = (text: string): string =>
  text.replace(/&(#?\w{1,8});/g, (all, name: string) => entities.get(name) ?? all)
