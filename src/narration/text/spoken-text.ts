import { readCodeMeta } from '../../content/code-meta.ts'
import type { Writing } from '../../content/writing.ts'
import type { Node } from '../../content/writing-tree.ts'
import { isPhrasing, notesOf, toBlocks } from '../../content/writing-tree.ts'
import type { SpokenUnit } from '../plan/plan-narration.ts'
import { wordInline } from './spoken-inline.ts'
import { spokenMath } from './spoken-math.ts'

/** Programming languages by their spoken names, with the names that code blocks use. */
const languageNames: Readonly<Record<string, readonly string[]>> = {
  TypeScript: ['ts', 'typescript', 'tsx'],
  JavaScript: ['js', 'javascript', 'mjs', 'jsx'],
  shell: ['sh', 'bash', 'shell', 'console', 'zsh'],
  JSON: ['json', 'jsonc'],
  YAML: ['yaml', 'yml'],
  TOML: ['toml'],
  HTML: ['html'],
  CSS: ['css'],
  SQL: ['sql'],
  Python: ['py', 'python'],
  Rust: ['rs', 'rust'],
  Go: ['go'],
  C: ['c'],
  'C plus plus': ['cpp'],
  Java: ['java'],
  HTTP: ['http'],
  XML: ['xml'],
  markdown: ['md'],
  MDX: ['mdx'],
  Astro: ['astro'],
  'patch form': ['diff'],
  Solidity: ['solidity', 'sol'],
}
const diagrams = /^(?:nomnoml|mermaid|dot|plantuml)$/

/** Tables with more rows or columns are described instead of read out. */
const maxRows = 8
const maxColumns = 6

/** A unit; `isItem` marks the first one of a list item. */
type Unit = SpokenUnit & { readonly isItem?: boolean }

const unit = (nodes: readonly Node[], more: Partial<Unit> = {}): Unit[] => {
  const { text, spoken } = wordInline(nodes)
  return text === '' ? [] : [{ text, spoken, ...more }]
}

/** Announces code or a diagram by its kind and title. */
function codeUnit({ lang, meta, value = '' }: Node): Unit {
  const key = lang?.toLowerCase() ?? ''
  const { title } = readCodeMeta(meta, value)
  const name = Object.keys(languageNames).find((said) => languageNames[said]?.includes(key))
  const what = diagrams.test(key) ? 'diagram' : name === undefined ? 'code example' : `code example in ${name}`
  const shown = `[${what[0]?.toUpperCase()}${what.slice(1)}`
  return title === undefined
    ? { text: `${shown}]`, spoken: `A ${what} follows in the text.` }
    : { text: `${shown}: ${title}]`, spoken: `A ${what}, ${title}, follows in the text.` }
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

const cellsOf = ({ children = [] }: Node) => children.map((cell) => wordInline(cell.children ?? []))

/** A small table row by row, each value with the name of its column; a large one by what it holds. */
function tableUnits([head, ...rows]: readonly Node[]): Unit[] {
  const columns = head ? cellsOf(head) : []
  const names = columns.map(({ text }) => text).filter(Boolean)
  const intro = `A table of ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`
  const about = names.length > 0 ? `: ${listed(names)}` : ''
  const first: Unit = { text: `[${intro}${about}]`, spoken: `${intro}${about}.`, isTight: true }
  if (rows.length > maxRows || columns.length > maxColumns)
    return [{ text: first.text, spoken: `${intro} is in the text${about}.` }]
  return [
    first,
    ...rows.map((row, index): Unit => {
      const cells = cellsOf(row)
      const said = cells.flatMap(({ spoken }, column) => {
        const name = columns[column]?.spoken ?? ''
        return spoken === '' ? [] : [column === 0 || name === '' ? spoken : `${name}: ${spoken}`]
      })
      const text = cells
        .map((cell) => cell.text)
        .filter(Boolean)
        .join(' · ')
      return { text, spoken: `${said.join('; ')}.`, isTight: index < rows.length - 1 }
    }),
  ].filter(({ text }) => text !== '')
}

/** The unit of a displayed formula. */
const formulaUnits = (tex: string): Unit[] => (tex === '' ? [] : [{ text: tex, spoken: `${spokenMath(tex)}.` }])

/** The units of a paragraph, which may consist of a single formula. */
const lineUnits = (nodes: readonly Node[]): Unit[] =>
  nodes.length === 1 && nodes[0]?.type === 'inlineMath' ? formulaUnits(nodes[0].value?.trim() ?? '') : unit(nodes)

/** The units of a list, with the numbers of its items. */
const listUnits = ({ ordered, start, children = [] }: Node): Unit[] =>
  children.flatMap((item, place) => {
    const [first, ...rest] = blocksToUnits(item.children ?? [])
    if (!first) return []
    const number = (start ?? 1) + place
    const numbered = { ...first, text: `${number}. ${first.text}`, spoken: `${number}: ${first.spoken}` }
    return [{ ...(ordered ? numbered : first), isItem: true }, ...rest]
  })

function blockToUnits(node: Node): Unit[] {
  const { type, children = [], depth = 1 } = node
  switch (type) {
    case 'heading':
      return unit(children).map((one) => (depth <= 2 ? { ...one, chapter: one.text } : one))
    case 'math':
      return formulaUnits(node.value?.trim() ?? '')
    case 'code':
      return [codeUnit(node)]
    case 'list':
      return listUnits(node)
    case 'table':
      return tableUnits(children)
    case 'footnoteDefinition':
      return []
    default:
      return blocksToUnits(children)
  }
}

const blocksToUnits = (nodes: readonly Node[]): Unit[] =>
  toBlocks(nodes).flatMap((block) => {
    const [first] = block
    return first && !isPhrasing(first) ? blockToUnits(first) : lineUnits(block)
  })

const noteUnits = ({ children = [] }: Node): Unit[] => {
  const [first, ...rest] = blocksToUnits(children)
  return first ? [{ ...first, spoken: `Footnote: ${first.spoken}` }, ...rest] : []
}

/**
 * What is said when a post is read aloud, paragraph by paragraph, with what the transcript shows meanwhile. The title
 * and headings of the first two levels begin chapters; code is announced, small tables are read by row, links by their
 * text, images by their description; footnotes come last. Numbers and abbreviations are worded by the engine.
 */
export function toSpokenUnits({ root }: Writing, { title }: { title?: string } = {}): SpokenUnit[] {
  const opening = title === undefined ? [] : unit([{ type: 'text', value: title }], { chapter: title })
  const units = [...opening, ...blocksToUnits(root.children ?? []), ...notesOf(root).flatMap(noteUnits)]
  return units.map(({ isItem, ...one }, place) =>
    // Only the next item follows a list item after a short pause.
    isItem ? { ...one, isTight: units[place + 1]?.isItem === true } : one,
  )
}
