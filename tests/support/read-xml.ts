import { validateXML } from 'xmllint-wasm'

/** An element as libxml2 parsed it: attributes and direct text, with all references resolved. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
  text: string
}

const references: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  amp: '&',
  '#xD': '\r',
  '#x9': '\t',
  '#xA': '\n',
}
const resolve = (text: string): string => text.replace(/&([^;]+);/g, (_, name: string) => references[name] ?? '')

/**
 * Reads a document with xmllint. Its canonical form has no CDATA, one kind of quotation mark and five references, so
 * that the few lines here need no XML parser.
 *
 * @throws Error if the document is not well-formed
 */
export async function readXml(contents: string): Promise<XmlElement> {
  const { valid, errors, normalized } = await validateXML({
    xml: { fileName: 'document.xml', contents },
    normalization: 'c14n',
    initialMemoryPages: 1024,
    maxMemoryPages: 4096,
  })
  if (!valid) throw new Error(errors.map(({ rawMessage }) => rawMessage).join('\n'))
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  for (const [, close, name = '', attributes = '', text] of normalized.matchAll(
    /<(\/?)([^\s>]+)((?:\s+[^=\s]+="[^"]*")*)>|([^<]+)/g,
  )) {
    const parent = open.at(-1) ?? root
    if (text !== undefined) parent.text += resolve(text)
    else if (close) open.pop()
    else {
      const pairs = [...attributes.matchAll(/([^\s=]+)="([^"]*)"/g)]
      const element: XmlElement = {
        name,
        attributes: Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, resolve(value)])),
        children: [],
        text: '',
      }
      parent.children.push(element)
      open.push(element)
    }
  }
  const [document] = root.children
  if (!document) throw new Error('the document is empty')
  return document
}

/** The children with this name. */
export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name)

/** The text of the first child with this name. */
export const textOf = (element: XmlElement, name: string): string | undefined => childrenOf(element, name)[0]?.text
