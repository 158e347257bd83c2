const maxDepth = 64
/** A sitemap of six thousand pages; what is after them is not missed. */
const maxElements = 20_000

/** A leaf or branch, in the order in which they end: `rss/channel/item/title` with the text directly inside. */
export interface XmlElement {
  readonly path: string
  readonly text: string
  readonly attributes: string
}

export type XmlFacts =
  | { readonly is: 'read'; readonly root: string; readonly elements: readonly XmlElement[] }
  | { readonly is: 'broken'; readonly why: string }

const markup = /<(?:!\[CDATA\[|!--|\?|!|\/)?/g

/**
 * Reads XML in one pass and stops at the first thing that a feed reader would stop at. What comes after `isCut`, the
 * place where reading ended, is not missed.
 */
export function readXml(xml: string, isCut: boolean): XmlFacts {
  const elements: XmlElement[] = []
  const open: { name: string; path: string; attributes: string; text: string[] }[] = []
  let root = ''
  let at = 0
  const end = (why: string): XmlFacts => (isCut && root !== '' ? { is: 'read', root, elements } : { is: 'broken', why })
  const addText = (text: string) => open.at(-1)?.text.push(text)

  while (at < xml.length) {
    markup.lastIndex = at
    const found = markup.exec(xml)
    const text = xml.slice(at, found?.index)
    const entity = found && findEntity(text)
    if (entity) return { is: 'broken', why: `${entity} is no entity of XML` }
    if (open.length > 0) addText(text)
    else if (text.replace(/^\uFEFF/, '').trim() !== '')
      return { is: 'broken', why: 'there is text outside of the root element' }
    if (!found) break
    const [start] = found
    const close = closeOf(start)
    const stop = xml.indexOf(close, found.index + start.length)
    if (stop === -1) return end(`${start} is not closed`)
    const inside = xml.slice(found.index + start.length, stop)
    at = stop + close.length
    if (start === '<![CDATA[') addText(inside)
    else if (start === '</') {
      const last = open.pop()
      if (last?.name !== inside.trim()) return { is: 'broken', why: `</${inside.trim()}> closes what is not open` }
      elements.push({ path: last.path, text: last.text.join('').trim(), attributes: last.attributes })
    } else if (start === '<') {
      const [, name, attributes = ''] = /^([\p{L}_][\p{L}\p{N}._:-]*)([\s\S]*)$/u.exec(inside) ?? []
      if (name === undefined) return { is: 'broken', why: 'a < stands where no element begins' }
      const wrong = findEntity(attributes)
      if (wrong) return { is: 'broken', why: `${wrong} is no entity of XML` }
      if (root !== '' && open.length === 0) return { is: 'broken', why: 'there is a second root element' }
      root ||= name
      const path = open.length === 0 ? name : `${open.at(-1)?.path}/${name}`
      if (attributes.endsWith('/')) elements.push({ path, text: '', attributes: attributes.slice(0, -1) })
      else open.push({ name, path, attributes, text: [] })
      if (open.length > maxDepth) return { is: 'broken', why: 'it is nested too deep' }
      if (elements.length > maxElements) return { is: 'read', root, elements }
    }
  }
  if (root === '') return { is: 'broken', why: 'there is no element' }
  return open.length === 0 ? { is: 'read', root, elements } : end(`<${open.at(-1)?.name}> is not closed`)
}

/** An ampersand that is not escaped, or an entity that only HTML knows. */
const findEntity = (text: string): string | undefined =>
  /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)[^\s;<"']{0,20};?/i.exec(text)?.[0]

function closeOf(start: string): string {
  switch (start) {
    case '<![CDATA[':
      return ']]>'
    case '<!--':
      return '-->'
    case '<?':
      return '?>'
    default:
      return '>'
  }
}
