import { markdownToMdast, mdxToMdast } from 'satteri'
import { features } from './syntax.ts'
import { withFormulas } from './with-formulas.ts'

/** A position in a text: the offset from its beginning, and the line, from 1. */
interface Place {
  readonly offset?: number | undefined
  readonly line: number
}

/** An attribute of a component. Its value is a string, an expression, or absent. */
export interface Attribute {
  readonly type: string
  readonly name?: string
  readonly value?: string | { readonly value: string } | null | undefined
}

/** A node of mdast (github.com/syntax-tree/mdast) with the fields that are read here. */
export interface Node {
  readonly type: string
  /** Missing for a node that is not in the source. */
  readonly position?: { readonly start: Place; readonly end: Place } | undefined
  readonly children?: readonly Node[]
  readonly value?: string
  readonly name?: string | null | undefined
  /** A list for components. Directives, which posts do not use, have a record. */
  readonly attributes?: readonly Attribute[] | Readonly<Record<string, unknown>> | null | undefined
  /** The level of a heading. */
  readonly depth?: number
  /** The language of a code block. */
  readonly lang?: string | null | undefined
  /** The options behind the language of a code block. */
  readonly meta?: string | null | undefined
  readonly url?: string
  readonly alt?: string | null | undefined
  /** The title of an image; the caption of one that is alone in its paragraph. */
  readonly title?: string | null | undefined
  readonly ordered?: boolean | null | undefined
  /** The number of a list's first item. */
  readonly start?: number | null | undefined
  /** The normalized name of a definition or footnote, and of the references to it. */
  readonly identifier?: string
}

/** Something wrong with a text; the sentence is to be appended to its file and line. */
export interface Fault {
  readonly line: number
  readonly sentence: string
}

/**
 * Advice for messages of the parser that authors meet with posts from other programs, which use other syntax and HTML.
 */
const advice: readonly (readonly [said: RegExp, advice: string])[] = [
  [
    /^Could not parse expression[^:]*: (.*)$/s,
    'a brace begins an expression here that cannot be read ($1); write \\{ for a brace, and take out what another program put something else for, such as {{< figure >}} or {% highlight %}',
  ],
  [/^Unexpected character `!`.*$/s, 'write {/* a remark */} instead of <!-- a remark -->'],
  [
    /^(Unexpected character after `<`).*$/s,
    '$1; write \\< for the sign, [text](address) for a link, and quotation marks around what attributes say',
  ],
  [
    /^Expected a closing tag for `<(area|br|col|embed|hr|img|input|source|track|wbr)>`.*$/s,
    'write <$1 /> here: in posts, each tag is closed',
  ],
  [
    /^(Expected a closing tag for .* before the end of `paragraph`)$/s,
    '$1; close it; around several paragraphs, put each tag on a line of its own',
  ],
]

function toAdvice(said: string): string {
  const [pattern, sentence = ''] = advice.find(([known]) => known.test(said)) ?? []
  return pattern ? said.replace(pattern, sentence) : said
}

let newest: { readonly source: string; readonly root: Node | Fault } | undefined

/**
 * Parses MDX with the parser and the syntax of Astro's pages, except that quotation marks, dashes and dots are left as
 * written. Offsets refer to the text after `withFormulas`, which has the same lines. Invalid MDX gives a fault.
 */
export function parseWriting(source: string): Node | Fault {
  // What is found in a text is often asked for by one check after another.
  if (newest?.source !== source) newest = { source, root: parse(source) }
  return newest.root
}

function parse(source: string): Node | Fault {
  try {
    return mdxToMdast(withFormulas(source), { features })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [, line = '1', sentence = message] = /^(\d+):\d+: ([\s\S]*?)(?: \([\w:-]+\))?$/.exec(message) ?? []
    return { line: Number(line), sentence: toAdvice(sentence) }
  }
}

/** Parses markdown that is not MDX. */
export const parseMarkdown = (source: string): Node => markdownToMdast(source, { features })

const isList = (attributes: Node['attributes']): attributes is readonly Attribute[] => Array.isArray(attributes)

/** The attributes in the tag of a component. */
export const attributesOf = ({ attributes }: Node): readonly Attribute[] => (isList(attributes) ? attributes : [])

/** A node and all below it, in the order of the text. */
export const nodesOf = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(nodesOf)]

/**
 * The footnotes in the order of their first reference, as pages show them; footnotes without a reference are left out.
 */
export function notesOf(root: Node): Node[] {
  const all = nodesOf(root)
  const referred = all.flatMap(({ type, identifier }) => (type === 'footnoteReference' ? [identifier] : []))
  return [...new Set(referred)].flatMap(
    (name) => all.find(({ type, identifier }) => type === 'footnoteDefinition' && identifier === name) ?? [],
  )
}

const phrasing: ReadonlySet<string> = new Set([
  'text',
  'emphasis',
  'strong',
  'delete',
  'inlineCode',
  'inlineMath',
  'break',
  'link',
  'linkReference',
  'image',
  'imageReference',
  'footnoteReference',
  'mdxTextExpression',
  'mdxJsxTextElement',
])

/** Whether a node is inline (phrasing content); all others are blocks. */
export const isPhrasing = ({ type }: Node): boolean => phrasing.has(type)

/** Groups nodes: each block alone, and adjacent inline nodes together. */
export function toBlocks(nodes: readonly Node[]): Node[][] {
  const blocks: Node[][] = []
  for (const node of nodes) {
    const last = blocks.at(-1)
    if (isPhrasing(node) && last?.[0] && isPhrasing(last[0])) last.push(node)
    else blocks.push([node])
  }
  return blocks
}
