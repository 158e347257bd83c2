import type { Node } from '../../content/writing-tree.ts'
import { spokenMath } from './spoken-math.ts'

/** A text as the transcript shows it, and as it is spoken. */
export type Wording = { text: string; spoken: string }

/** Inline code as it is spoken; long code, and code with more symbols than letters, is only mentioned. */
function spokenCode(code: string): string {
  const words = code.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  return code.length > 80 || (code.length > 16 && words < code.length / 2) ? 'a piece of code' : code
}

const same = (text: string): Wording => ({ text, spoken: text })
const isSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** The wording of a leaf node; undefined for a node that only has children. */
function wordLeaf({ type, value = '', alt }: Node): Wording | undefined {
  switch (type) {
    case 'text':
      return same(value)
    case 'break':
      return same(' ')
    case 'inlineMath':
      return { text: value.trim(), spoken: spokenMath(value) }
    case 'inlineCode':
      return { text: value.trim(), spoken: spokenCode(value.trim()) }
    case 'image':
    case 'imageReference':
      return alt ? { text: alt, spoken: `Image: ${isSentence(alt)}` } : same('')
    default:
      return undefined
  }
}

const tidy = (words: string): string =>
  words
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:!?](?:\s|$))/g, '')
    .trim()

/**
 * The words of nodes in a line: links by their text, images by their description, code and formulas as they are said,
 * emphasis and footnote marks gone.
 */
export function wordInline(nodes: readonly Node[]): Wording {
  let text = ''
  let spoken = ''
  const put = (wording: Wording) => {
    text += wording.text
    spoken += wording.spoken
  }
  const visit = (node: Node) => {
    const leaf = wordLeaf(node)
    if (leaf) put(leaf)
    else for (const child of node.children ?? []) visit(child)
  }
  for (const node of nodes) visit(node)
  return { text: tidy(text), spoken: tidy(spoken) }
}
