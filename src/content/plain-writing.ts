import { attributesOf, type Fault, type Node, nodesOf } from './writing-tree.ts'

/** Statements of modules, which the bundler of the pages reads in an expression, too. */
const ofModules = /\b(?:import|export)\b/

const codesOf = (node: Node): readonly string[] => [
  ...(node.type.endsWith('Expression') ? [node.value ?? ''] : []),
  ...attributesOf(node).map(({ value }) => (typeof value === 'object' && value ? value.value : '')),
]

const needsBundler = (node: Node): boolean =>
  node.type === 'mdxjsEsm' ||
  // Their files become files of the site.
  node.type === 'image' ||
  node.type === 'imageReference' ||
  // Components bring styles and scripts to the page that they stand in.
  /^[A-Z]|\./.test(node.name ?? '') ||
  codesOf(node).some((code) => ofModules.test(code))

/**
 * Whether a text is markdown, formulas, code and values alone. Such a text is compiled by itself (`renderWriting`), which
 * costs a fraction of what a module among the pages' modules does, and leaves those the same when it changes.
 */
export const isPlainWriting = (root: Node | Fault): boolean => 'type' in root && !nodesOf(root).some(needsBundler)
