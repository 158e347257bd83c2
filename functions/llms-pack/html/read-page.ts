import { type BlockWriter, makeBlockWriter } from './block-writer.ts'
import { findBoilerplate, isBoilerplateName, isHidden, isLineNumber } from './boilerplate.ts'
import {
  blockElements,
  codeElements,
  listElements,
  mutedElements,
  partElements,
  preformattedElements,
  voidElements,
} from './elements.ts'
import { makeOpenElements } from './open-elements.ts'
import type { Mark, Page, PagePart } from './page.ts'
import { type Attributes, readTokens } from './read-tokens.ts'
import { makeTables, type Tables } from './tables.ts'

/** Begins an element in the writer, and returns what has to be called where the element ends. */
type Enter = (attributes: Attributes) => (() => void) | undefined

const marked: readonly (readonly [sign: Mark['sign'], names: readonly string[]])[] = [
  ['strong', ['b', 'strong', 'dt', 'summary', 'caption']],
  ['emphasis', ['i', 'em', 'cite', 'dfn']],
  ['strike', ['del', 's', 'strike']],
]

/** The effect of each element on the writer; elements that are not in it have none. */
function makeMeanings(writer: BlockWriter, tables: Tables): ReadonlyMap<string, Enter> {
  const around = (before: string, after: string): Enter => {
    return () => {
      writer.text(before)
      return () => writer.text(after)
    }
  }
  const each = <Name extends string>(names: Iterable<Name>, toEnter: (name: Name) => Enter) =>
    [...names].map((name) => [name, toEnter(name)] as const)
  const enterMark = (sign: Mark['sign']): Enter =>
    enterWith(
      () => writer.openMark(sign),
      () => writer.closeMark(sign),
    )
  const enterList = (name: string): Enter =>
    enterWith(
      ({ start, reversed }) =>
        writer.openList(name === 'ol' ? { start: numberOf(start), isReversed: reversed !== undefined } : undefined),
      writer.closeList,
    )
  const enterCode = enterWith((attributes) => {
    writer.nameLanguage(languageOf(attributes))
    writer.openCode()
  }, writer.closeCode)
  const enterRaised = enterWith(
    () => writer.raise(true),
    () => writer.raise(false),
  )
  return new Map<string, Enter>([
    ['a', enterLink(writer)],
    ['q', around('“', '”')],
    ['rt', around('(', ')')],
    ['blockquote', enterWith(writer.openQuote, writer.closeQuote)],
    ['li', enterWith(({ value }) => writer.openItem(numberOf(value)), writer.closeItem)],
    ['sup', enterRaised],
    ['table', enterWith(tables.openTable, tables.closeTable)],
    ['tr', enterWith(tables.openRow)],
    ...each(['td', 'th'] as const, (name) =>
      enterWith((attributes) => tables.openCell(name, attributes), tables.closeCell),
    ),
    ...[1, 2, 3, 4, 5, 6].map(
      (level) => [`h${level}`, enterWith(() => writer.openHeading(level), writer.closeHeading)] as const,
    ),
    ...marked.flatMap(([sign, names]) => each(names, () => enterMark(sign))),
    ...each(listElements, enterList),
    ...each(preformattedElements, () =>
      enterWith((attributes) => writer.openListing(languageOf(attributes)), writer.closeListing),
    ),
    ...each(codeElements, () => enterCode),
  ])
}

const enterWith =
  (begin: (attributes: Attributes) => void, end?: () => void): Enter =>
  (attributes) => {
    begin(attributes)
    return end
  }

/** Links cannot be nested: a link ends where the next one begins. */
const enterLink =
  (writer: BlockWriter): Enter =>
  ({ href }) => {
    writer.closeMark('link')
    if (!href) return undefined
    writer.openMark('link', href)
    return () => writer.closeMark('link')
  }

const languageOf = ({ class: className = '' }: Attributes): string =>
  /(?:^|\s)(?:language|lang|highlight-source|brush:)[-\s]?([\w+#-]{1,20})/.exec(className.slice(0, 300))?.[1] ?? ''

const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined

const mostParts = 20_000
const longestTitle = 1000

/** Reads a page into flat lists of blocks, parts and tables, in one pass. */
export function readPage(html: string): Page {
  const writer = makeBlockWriter()
  const elements = makeOpenElements()
  const tables = makeTables(writer)
  const meanings = makeMeanings(writer, tables)
  const parts: PagePart[] = []
  const titles = { document: '', graph: '' }
  let base = ''
  let isInTitle = false
  let isMute = false

  const openPart = (name: string, attributes: Attributes): PagePart | undefined => {
    // Inside an article or main element, a header or an aside may belong to the text.
    const boilerplate = findBoilerplate(name, attributes, elements.has('article') || elements.has('main'))
    const isPart = partElements.has(name) || (boilerplate !== undefined && blockElements.has(name))
    if (!isPart || writer.isListing() || parts.length >= mostParts) return undefined
    const role = roleOf(name, attributes)
    const part = { element: name, role, boilerplate, from: writer.count(), to: Number.POSITIVE_INFINITY }
    parts.push(part)
    return part
  }

  /** Begins an element in the writer; returns what to call at its end. */
  const enter = (name: string, attributes: Attributes): (() => void) | undefined => {
    const isBlock = blockElements.has(name)
    if (isBlock && writer.isListing()) writer.beginLine()
    else if (isBlock) writer.flush()
    const part = openPart(name, attributes)
    const leave = meanings.get(name)?.(attributes)
    if (!isBlock) return leave
    return () => {
      writer.flush()
      leave?.()
      if (part) part.to = writer.count()
    }
  }

  const openVoid = (name: string, attributes: Attributes): void => {
    const { alt, content, href, name: called, property = called } = attributes
    switch (name) {
      case 'br':
        writer.lineBreak()
        break
      case 'hr':
        elements.endImplied(name)
        writer.flush()
        writer.rule()
        break
      case 'img':
        if (alt) writer.text(alt)
        break
      case 'meta':
        if (property === 'og:title') titles.graph ||= content ?? ''
        break
      case 'base':
        base ||= href ?? ''
        break
    }
  }

  const unmute = (): void => {
    isMute = false
    isInTitle = false
  }
  const isWhole = readTokens(html, {
    isFull: writer.isFull,
    open(name, attributes) {
      if (voidElements.has(name)) {
        if (!isMute) openVoid(name, attributes)
        return
      }
      elements.endImplied(name)
      if (isMute || elements.isFull()) elements.push(name)
      else if (name === 'title' || isMuted(name, attributes, writer)) {
        isInTitle = name === 'title' && titles.document === ''
        isMute = true
        elements.push(name, unmute)
        if (name === 'math') writer.text(attributes.alttext ?? '')
      } else elements.push(name, enter(name, attributes))
    },
    close(name) {
      if (name === 'br') writer.lineBreak()
      else elements.close(name)
    },
    text(text) {
      if (isInTitle && titles.document.length < longestTitle) titles.document += text.slice(0, longestTitle)
      if (!isMute) writer.text(text)
    },
  })
  elements.closeAll()
  writer.flush()
  const title = titles.document.trim() || titles.graph
  return { title, base, blocks: writer.blocks, parts, tables: tables.all, isWhole }
}

/** Whether the contents of an element are skipped. In code listings class names mean colours, so they do not count. */
function isMuted(name: string, attributes: Attributes, writer: BlockWriter): boolean {
  if (mutedElements.has(name)) return true
  if (writer.isListing()) return isLineNumber(attributes)
  if (isHidden(name, attributes)) return true
  if (name === 'math') return attributes.alttext !== undefined
  if (name === 'a' && writer.isRaised() && attributes.href?.startsWith('#')) return true
  if (blockElements.has(name) || codeElements.has(name) || name.includes('-')) return false
  return isBoilerplateName(attributes.class ?? '')
}

function roleOf(name: string, { role, itemprop }: Attributes): PagePart['role'] {
  if (name === 'main' || role === 'main') return 'main'
  if (itemprop === 'articleBody') return 'body'
  return name === 'article' || role === 'article' ? 'article' : undefined
}
