import { markdownToMdast, mdxToMdast } from 'satteri'
import { features } from './syntax.ts'
import { withFormulas } from './with-formulas.ts'

/** A place in a text, from its beginning and by lines that are counted from 1. */
interface Place {
  readonly offset?: number | undefined
  readonly line: number
}

/** An attribute of a component: a text, an expression, or nothing but its name. */
export interface Attribute {
  readonly type: string
  readonly name?: string
  readonly value?: string | { readonly value: string } | null | undefined
}

/** A node of mdast (github.com/syntax-tree/mdast) with the fields that are read here. */
export interface Node {
  readonly type: string
  /** Missing where the node does not stand in the source. */
  readonly position?: { readonly start: Place; readonly end: Place } | undefined
  readonly children?: readonly Node[]
  readonly value?: string
  readonly name?: string | null | undefined
  /** Of a component a list; directives, which no post has here, have them by name. */
  readonly attributes?: readonly Attribute[] | Readonly<Record<string, unknown>> | null | undefined
  /** Of a heading. */
  readonly depth?: number
  /** Of a code block. */
  readonly lang?: string | null | undefined
  /** What stands behind the language of a code block. */
  readonly meta?: string | null | undefined
  readonly url?: string
  readonly alt?: string | null | undefined
  /** Of an image, which has it as its caption where it stands alone. */
  readonly title?: string | null | undefined
  readonly ordered?: boolean | null | undefined
  /** The number of a list's first item. */
  readonly start?: number | null | undefined
  /** Of a footnote, and of what refers to it. */
  readonly identifier?: string
}

/** Something wrong with a text; the sentence goes on after its file and line. */
export interface Fault {
  readonly line: number
  readonly sentence: string
}

/** What a writer does about what the parser says: posts that come from another program have their own marks and all of HTML. */
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

/**
 * Parses MDX with the parser and the syntax of Astro's pages; only quotation marks, dashes and dots stay as written.
 * Places are those in the text `withFormulas`, which has the same lines.
 * What is no MDX has a fault.
 */
export function parseWriting(source: string): Node | Fault {
  try {
    return mdxToMdast(withFormulas(source), { features })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [, line = '1', sentence = message] = /^(\d+):\d+: ([\s\S]*?)(?: \([\w:-]+\))?$/.exec(message) ?? []
    return { line: Number(line), sentence: toAdvice(sentence) }
  }
}

/** Parses a text that is markdown and no MDX. */
export const parseMarkdown = (source: string): Node => markdownToMdast(source, { features })

const isList = (attributes: Node['attributes']): attributes is readonly Attribute[] => Array.isArray(attributes)

/** What is written in the tag of a component. */
export const attributesOf = ({ attributes }: Node): readonly Attribute[] => (isList(attributes) ? attributes : [])

/** A node and all below it, in the order of the text. */
export const nodesOf = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(nodesOf)]

/** The footnotes in the order in which the text refers to them, as pages show them; those that nothing refers to are not shown. */
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

/** Whether a node stands in a line of text; others are blocks. */
export const isPhrasing = ({ type }: Node): boolean => phrasing.has(type)

/** Nodes as blocks: each block alone, and what stands in one line together. */
export function toBlocks(nodes: readonly Node[]): Node[][] {
  const blocks: Node[][] = []
  for (const node of nodes) {
    const last = blocks.at(-1)
    if (isPhrasing(node) && last?.[0] && isPhrasing(last[0])) last.push(node)
    else blocks.push([node])
  }
  return blocks
}
