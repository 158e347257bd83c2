import { Tokenizer } from 'htmlparser2'

const maxElements = 20_000
const maxLength = 300_000
const maxTextLength = 20_000
const maxAttributes = 256
const maxValueLength = 8000
/** Elements whose contents are not text of the page. */
const apart: ReadonlySet<string> = new Set(['script', 'style', 'title', 'template', 'textarea', 'noscript'])

/**
 * Reads what a program without scripts sees of a page: its head and its text. Works in one pass, token by token, so
 * that no markup makes it slow.
 */
export function readHtml(page: string) {
  const html = page.slice(0, maxLength)
  /** Contents of meta elements by name or property, in lower case; the first of each counts. */
  const metas = new Map<string, string>()
  const links: ReadonlyMap<string, string>[] = []
  /** Bodies of `application/ld+json` scripts. */
  const jsonLd: string[] = []
  const words: string[] = []
  let [title, lang, wordsLength, hasPasswordField, elements] = ['', '', 0, false, 0]
  let [name, key, value] = ['', '', '']
  let attributes = new Map<string, string>()
  /** The element of `apart` that is open, how often it is nested in itself, its text, and whether it is JSON-LD. */
  let [within, depth, inside, isData] = ['', 0, '', false]

  const hear = (text: string): void => {
    if (within !== '') {
      if (isData || within === 'title') inside += text
    } else if (wordsLength < maxTextLength) {
      words.push(text.slice(0, maxTextLength))
      wordsLength += text.length
    }
  }
  const leave = (): void => {
    if (within === 'title') title ||= inside.trim()
    if (isData) jsonLd.push(inside)
    within = ''
  }
  const open = (): void => {
    words.push(' ')
    elements += 1
    if (elements > maxElements) {
      tokenizer.pause()
      return
    }
    if (within !== '') {
      if (name === within) depth += 1
      return
    }
    if (apart.has(name)) {
      ;[within, depth, inside] = [name, 1, '']
      isData = name === 'script' && /^application\/ld\+json/i.test(attributes.get('type') ?? '')
    }
    if (name === 'html') lang ||= attributes.get('lang') ?? ''
    if (name === 'link') links.push(attributes)
    if (name === 'input' && attributes.get('type')?.toLowerCase() === 'password') hasPasswordField = true
    const about = (attributes.get('name') ?? attributes.get('property') ?? '').toLowerCase()
    if (name === 'meta' && about !== '' && !metas.has(about)) metas.set(about, attributes.get('content') ?? '')
  }
  const add = (text: string): void => {
    if (value.length < maxValueLength) value += text.slice(0, maxValueLength)
  }
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ontext: (start, end) => hear(html.slice(start, end)),
      ontextentity: (codePoint) => hear(String.fromCodePoint(codePoint)),
      onopentagname(start, end) {
        name = html.slice(start, end).toLowerCase()
        attributes = new Map()
      },
      onattribname(start, end) {
        key = html.slice(start, end).toLowerCase()
        value = ''
      },
      onattribdata: (start, end) => add(html.slice(start, end)),
      onattribentity: (codePoint) => add(String.fromCodePoint(codePoint)),
      onattribend() {
        if (attributes.size < maxAttributes && !attributes.has(key)) attributes.set(key, value)
      },
      onopentagend: open,
      // In HTML a slash at the end of a start tag has no effect.
      onselfclosingtag: open,
      onclosetag(start, end) {
        words.push(' ')
        if (within === '' || html.slice(start, end).toLowerCase() !== within) return
        depth -= 1
        if (depth === 0) leave()
      },
      oncdata() {},
      oncomment() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  // JSON-LD that our own limit cut off is left out, so that it is not called broken.
  if (within !== '' && html.length === page.length) leave()
  const text = words.join('').replace(/\s+/g, ' ').trim().slice(0, maxTextLength)
  return { title, lang, metas, links, jsonLd, text, hasPasswordField }
}
