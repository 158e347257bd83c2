import { findForm, makeText, type ProductLines } from './component-forms.ts'
import { type Evaluate, makeEvaluate } from './expressions.ts'
import { findCaptioned } from './find-captioned.ts'
import { withFormulas } from './with-formulas.ts'
import { attributesOf, isPhrasing, type Node, parseWriting } from './writing-tree.ts'

/** A parsed post or page, from which all its forms are made. */
export interface Writing {
  readonly source: string
  /**
   * The tree without front matter, imports, components and expressions. Each remaining `mdxJsxFlowElement` and
   * `mdxJsxTextElement` holds the nodes that replace it.
   */
  readonly root: Node
}

/** Inline HTML elements that do not separate the words before and after them. */
const inWords = new Set(
  'a abbr b bdi bdo cite code data del dfn em i ins kbd mark q ruby s samp small span strong sub sup time u var'.split(
    ' ',
  ),
)
/** HTML elements whose content is not shown to readers. */
const unread = new Set(['script', 'style', 'template'])
const isComponent = (name: string): boolean => /^[^a-z]/.test(name)

/** The attributes of a component whose values are strings, or expressions that can be evaluated to strings. */
export const textsOf = (node: Node, evaluate: Evaluate): Record<string, string | undefined> =>
  Object.fromEntries(
    attributesOf(node).flatMap(({ name, value }) =>
      name === undefined ? [] : [[name, typeof value === 'object' && value ? evaluate(value.value) : (value ?? '')]],
    ),
  )

/** Turns blocks into inline nodes, separated by spaces. */
const toLine = (blocks: readonly Node[]): Node[] =>
  blocks.flatMap((node, place): Node[] => [
    ...(place > 0 ? [makeText(' ')] : []),
    ...(isPhrasing(node) ? [node] : toLine(node.children ?? [])),
  ])

function settleElement(node: Node, evaluate: Evaluate, products: ProductLines): Node {
  const { name, position } = node
  const type = isPhrasing(node) ? 'mdxJsxTextElement' : 'mdxJsxFlowElement'
  const group = (children: readonly Node[]): Node => ({ type, name, position, children })
  if (name === 'br') return group([{ type: 'break' }])
  if (name && unread.has(name)) return group([])
  const children = (node.children ?? []).map((child) => settle(child, evaluate, products))
  const form = findForm(name)
  const meant = form ? form.toBlocks(textsOf(node, evaluate), children, products) : children
  if (!isPhrasing(node)) return group(meant)
  const isDivided = form === undefined && name && !isComponent(name) && !inWords.has(name)
  return group(isDivided ? [makeText(' '), ...meant, makeText(' ')] : form ? toLine(meant) : meant)
}

/** A paragraph, or a figure if the paragraph is a picture with a caption. */
function settleParagraph(node: Node, evaluate: Evaluate, products: ProductLines): Node {
  const { picture, caption } = findCaptioned(node) ?? {}
  const children = (node.children ?? []).map((child) => settle(child, evaluate, products))
  if (!picture) return { ...node, children }
  // Without its position: in the source, the picture has the caption as its title.
  const alone: Node = { type: 'paragraph', children: [{ ...picture, position: undefined, title: null }] }
  const figure = findForm('Figure')?.toBlocks({ caption }, [alone], products) ?? [alone]
  return { type: 'mdxJsxFlowElement', position: node.position, children: figure }
}

/** A node with its MDX replaced by nodes that mean the same. */
function settle(node: Node, evaluate: Evaluate, products: ProductLines): Node {
  const { type, value = '', position, children } = node
  switch (type) {
    case 'mdxTextExpression':
    case 'mdxFlowExpression': {
      // An expression that cannot be evaluated stays as written; it is reported as a fault, and the build ends.
      const text = evaluate(value) ?? value
      return {
        type: type === 'mdxTextExpression' ? 'mdxJsxTextElement' : 'mdxJsxFlowElement',
        position,
        children: text === '' ? [] : [makeText(text)],
      }
    }
    case 'paragraph':
      return settleParagraph(node, evaluate, products)
    case 'mdxJsxTextElement':
    case 'mdxJsxFlowElement':
      return settleElement(node, evaluate, products)
    default:
      return children ? { ...node, children: children.map((child) => settle(child, evaluate, products)) } : node
  }
}

const isText = ({ type }: Node): boolean => type !== 'yaml' && type !== 'toml' && type !== 'mdxjsEsm'

/**
 * Reads a post or page. Product cards are left out where no products are given.
 *
 * @throws Error when the source is not valid MDX
 */
export function readWriting(source: string, products: ProductLines = {}): Writing {
  const text = withFormulas(source.replaceAll('\r\n', '\n'))
  const parsed = parseWriting(text)
  if ('sentence' in parsed) throw new Error(`line ${parsed.line}: ${parsed.sentence}`)
  const { children = [] } = settle(parsed, makeEvaluate(parsed), products)
  return { source: text, root: { type: 'root', children: children.filter(isText) } }
}
