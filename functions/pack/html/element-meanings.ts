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
  const meanings = new Map<string, Enter>([
    ['a', enterLink(writer)],
    ['q', around('“', '”')],
    ['rt', around('(', ')')],
    ['blockquote', enterWith(writer.openQuote, writer.closeQuote)],
    ['li', enterWith(writer.openItem, writer.closeItem)],
    [
      'sup',
      enterWith(
        () => writer.raise(true),
        () => writer.raise(false),
      ),
    ],
    ['table', enterWith(tables.openTable, tables.closeTable)],
    ['tr', enterWith(tables.openRow)],
    ['td', enterWith((attributes) => tables.openCell('td', attributes), tables.closeCell)],
    ['th', enterWith((attributes) => tables.openCell('th', attributes), tables.closeCell)],
  ])
  for (const level of [1, 2, 3, 4, 5, 6])
    meanings.set(
      `h${level}`,
      enterWith(() => writer.openHeading(level), writer.closeHeading),
    )
  for (const [sign, names] of marked)
    for (const name of names)
      meanings.set(
        name,
        enterWith(
          () => writer.openMark(sign),
          () => writer.closeMark(sign),
        ),
      )
  for (const name of listElements)
    meanings.set(
      name,
      enterWith((attributes) => writer.openList(name === 'ol' ? firstNumber(attributes) : undefined), writer.closeList),
    )
  for (const name of preformattedElements)
    meanings.set(
      name,
      enterWith((attributes) => writer.openListing(languageOf(attributes)), writer.closeListing),
    )
  for (const name of codeElements)
    meanings.set(
      name,
      enterWith((attributes) => {
        writer.nameLanguage(languageOf(attributes))
        writer.openCode()
      }, writer.closeCode),
    )
  return meanings
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
