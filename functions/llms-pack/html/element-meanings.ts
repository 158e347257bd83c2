import type { BlockWriter } from './block-writer.ts'
import { codeElements, listElements, preformattedElements } from './elements.ts'
import type { Mark } from './page.ts'
import type { Attributes } from './read-tokens.ts'
import type { Tables } from './tables.ts'

/** Does what an element means for the text inside it, and says how to undo that where it ends. */
type Enter = (attributes: Attributes) => (() => void) | undefined

const marked: readonly (readonly [sign: Mark['sign'], names: readonly string[]])[] = [
  ['strong', ['b', 'strong', 'dt', 'summary', 'caption']],
  ['emphasis', ['i', 'em', 'cite', 'dfn']],
  ['strike', ['del', 's', 'strike']],
]

/** What each element does to the text that is being written; the others do nothing. */
export function makeMeanings(writer: BlockWriter, tables: Tables): ReadonlyMap<string, Enter> {
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
    enterWith((attributes) => writer.openList(name === 'ol' ? firstNumber(attributes) : undefined), writer.closeList)
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
    ['li', enterWith(writer.openItem, writer.closeItem)],
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

/** Links do not stand inside each other: one ends where the next begins. */
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

const firstNumber = ({ start }: Attributes): number =>
  start !== undefined && /^\d{1,6}$/.test(start) ? Number(start) : 1
