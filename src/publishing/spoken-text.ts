import type { SpokenUnit } from '../media/plan-narration.ts'
import { mdxToMarkdown } from './mdx-to-markdown.ts'
import { wordInline } from './spoken-inline.ts'
import { spokenMath } from './spoken-math.ts'

/** Names of the languages that code is written in, as they are said. */
const languages: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  typescript: 'TypeScript',
  tsx: 'TypeScript',
  js: 'JavaScript',
  javascript: 'JavaScript',
  mjs: 'JavaScript',
  jsx: 'JavaScript',
  sh: 'shell',
  bash: 'shell',
  shell: 'shell',
  console: 'shell',
  zsh: 'shell',
  json: 'JSON',
  jsonc: 'JSON',
  yaml: 'YAML',
  yml: 'YAML',
  toml: 'TOML',
  html: 'HTML',
  css: 'CSS',
  sql: 'SQL',
  py: 'Python',
  python: 'Python',
  rs: 'Rust',
  rust: 'Rust',
  go: 'Go',
  c: 'C',
  cpp: 'C plus plus',
  java: 'Java',
  http: 'HTTP',
  xml: 'XML',
  md: 'markdown',
  mdx: 'MDX',
  astro: 'Astro',
  diff: 'patch form',
  solidity: 'Solidity',
  sol: 'Solidity',
}
const diagrams = /^(?:mermaid|dot|plantuml)$/

/** Tables with more than this are described, not read. */
const maxRows = 8
const maxColumns = 6

const fence = /^ {0,3}(`{3,}|~{3,})\s*([^\s`{]*)/
const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const item = /^([ \t]*)(?:[-*+]|(\d{1,9})[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)$/
/** All levels at once: quotes within quotes are read as one. */
const quote = /^[ \t]*(?:>[ \t]*)+/
const footnote = /^ {0,3}\[\^([^\]\s]+)\]:[ \t]*(.*)$/
const definition = /^ {0,3}\[[^\]]+\]:[ \t]*\S+/
const tableLine = /^ {0,3}\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$/
const mathFence = /^ {0,3}\$\$(.*)$/

type Unit = SpokenUnit

const unit = (markdown: string, more: Partial<Unit> = {}): Unit[] => {
  const { text, spoken } = wordInline(markdown)
  return text === '' ? [] : [{ text, spoken, ...more }]
}

function codeUnit(language: string): Unit {
  const key = language.toLowerCase()
  if (diagrams.test(key)) return { text: '[Diagram]', spoken: 'A diagram follows in the text.' }
  const name = languages[key]
  return name === undefined
    ? { text: '[Code example]', spoken: 'A code example follows in the text.' }
    : { text: `[Code example in ${name}]`, spoken: `A code example in ${name} follows in the text.` }
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim())

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** A small table row by row, each value with the name of its column; a large one by what it holds. */
function tableUnits(head: string, rows: readonly string[]): Unit[] {
  const columns = cellsOf(head).map(wordInline)
  const names = columns.map(({ text }) => text).filter(Boolean)
  const intro = `A table of ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`
  const about = names.length > 0 ? `: ${listed(names)}` : ''
  const first: Unit = { text: `[${intro}${about}]`, spoken: `${intro}${about}.`, isTight: true }
  if (rows.length > maxRows || columns.length > maxColumns)
    return [{ text: first.text, spoken: `${intro} is in the text${about}.` }]
  return [
    first,
    ...rows.map((row, index): Unit => {
      const cells = cellsOf(row).map(wordInline)
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

/** Reads lines from a place on and says where the next block begins. */
type Block = { units: Unit[]; next: number }

const endOf = (lines: readonly string[], start: number, isEnd: (line: string) => boolean): number => {
  const end = lines.findIndex((line, index) => index >= start && isEnd(line))
  return end < 0 ? lines.length : end
}

function readFence(lines: readonly string[], start: number, mark: string, language: string): Block {
  const closing = new RegExp(`^ {0,3}${mark.charAt(0)}{${mark.length},}\\s*$`)
  return { units: [codeUnit(language)], next: endOf(lines, start + 1, (line) => closing.test(line)) + 1 }
}

function readMath(lines: readonly string[], start: number, first: string): Block {
  const isOneLine = /\$\$\s*$/.test(first)
  const end = isOneLine ? start : endOf(lines, start + 1, (line) => /\$\$\s*$/.test(line))
  const tex = [first, ...lines.slice(start + 1, end + 1)]
    .join(' ')
    .replace(/\$\$\s*$/, '')
    .trim()
  return { units: tex === '' ? [] : [{ text: tex, spoken: `${spokenMath(tex)}.` }], next: end + 1 }
}

/** What ends a paragraph without a blank line. */
const interrupts = (line: string): boolean =>
  line.trim() === '' || [fence, heading, rule, quote, item, footnote, mathFence].some((pattern) => pattern.test(line))

function readItem(lines: readonly string[], start: number, match: RegExpExecArray): Block {
  const [, , number, first = ''] = match
  const next = endOf(lines, start + 1, interrupts)
  const words = [first, ...lines.slice(start + 1, next)].join(' ')
  const follows = lines.slice(next).find((line) => line.trim() !== '') ?? ''
  const isTight = item.test(follows)
  const units = unit(words, { isTight }).map((one) =>
    number === undefined ? one : { ...one, text: `${number}. ${one.text}`, spoken: `${number}: ${one.spoken}` },
  )
  return { units, next }
}

function readParagraph(lines: readonly string[], start: number): Block {
  const next = Math.max(
    start + 1,
    endOf(lines, start + 1, (line) => interrupts(line) || /^ {0,3}(?:=+|-+)[ \t]*$/.test(line)),
  )
  const words = lines.slice(start, next).join(' ')
  const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(lines[next] ?? '')
  return underline ? { units: headingUnits(words), next: next + 1 } : { units: unit(words), next }
}

const headingUnits = (words: string, level = 2): Unit[] =>
  unit(words).map((one) => (level <= 2 ? { ...one, chapter: one.text } : one))

/** One block, whatever it is; always at least one line. */
function readBlock(lines: readonly string[], start: number, notes: Unit[]): Block {
  const line = lines[start] ?? ''
  const one = (units: Unit[]): Block => ({ units, next: start + 1 })
  const fenced = fence.exec(line)
  if (fenced) return readFence(lines, start, fenced[1] ?? '```', fenced[2] ?? '')
  const math = mathFence.exec(line)
  if (math) return readMath(lines, start, math[1] ?? '')
  const headed = heading.exec(line)
  if (headed) return one(headingUnits(headed[2] ?? '', headed[1]?.length ?? 1))
  if (rule.test(line)) return one([])
  if (quote.test(line)) {
    const next = endOf(lines, start, (later) => !quote.test(later))
    const inner = lines.slice(start, next).map((quoted) => quoted.replace(quote, '').replace(/^\[![A-Z]+\]\s*/, ''))
    return { units: readBlocks(inner, notes), next }
  }
  const note = footnote.exec(line)
  if (note) {
    const next = endOf(lines, start + 1, interrupts)
    const words = [note[2] ?? '', ...lines.slice(start + 1, next)].join(' ')
    notes.push(...unit(words).map(({ text, spoken }) => ({ text, spoken: `Footnote: ${spoken}` })))
    return { units: [], next }
  }
  if (definition.test(line)) return one([])
  if (line.includes('|') && tableLine.test(lines[start + 1] ?? '')) {
    const next = endOf(lines, start + 2, (row) => row.trim() === '' || !row.includes('|'))
    return { units: tableUnits(line, lines.slice(start + 2, next)), next }
  }
  const listItem = item.exec(line)
  return listItem ? readItem(lines, start, listItem) : readParagraph(lines, start)
}

function readBlocks(lines: readonly string[], notes: Unit[]): Unit[] {
  const units: Unit[] = []
  for (let place = 0; place < lines.length; ) {
    if ((lines[place] ?? '').trim() === '') {
      place += 1
      continue
    }
    const block = readBlock(lines, place, notes)
    units.push(...block.units)
    place = block.next
  }
  return units
}

const formula = /\$\$[^`$]*\$\$|(?<![\w$\\`])\$(?=[^$`\n]*(?:\\[A-Za-z]|[\^_]\{))[^\s$`][^$`\n]{0,200}\$/g

/** Braces of formulas, which would otherwise be taken for expressions. */
const protectFormulas = (source: string): string =>
  source.replace(formula, (math) => math.replace(/(?<!\\)[{}]/g, '\\$&'))

/**
 * What is said when a post is read aloud, paragraph by paragraph, with what the transcript shows meanwhile. The title
 * and headings of the first two levels begin chapters; code is announced, small tables are read by row, links by their
 * text, images by their description; footnotes come last. Numbers and abbreviations are worded by the engine.
 */
export function toSpokenUnits(source: string, { title }: { title?: string } = {}): SpokenUnit[] {
  const notes: Unit[] = []
  const body = readBlocks(mdxToMarkdown(protectFormulas(source)).split('\n'), notes)
  const opening = title === undefined ? [] : unit(title.replace(/[\\`*_[\]<>]/g, '\\$&'), { chapter: title })
  return [...opening, ...body, ...notes]
}
