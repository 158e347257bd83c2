import { attributesOf, type Fault, type Node, nodesOf } from './writing-tree.ts'

/** Keywords of modules: the bundler of the pages also resolves `import()` inside an expression. */
const ofModules = /\b(?:import|export)\b/

const codesOf = (node: Node): readonly string[] => [
  ...(node.type.endsWith('Expression') ? [node.value ?? ''] : []),
  ...attributesOf(node).map(({ value }) => (typeof value === 'object' && value ? value.value : '')),
]

const needsBundler = (node: Node): boolean =>
  node.type === 'mdxjsEsm' ||
  // The bundler adds the files of pictures to the site.
  node.type === 'image' ||
  node.type === 'imageReference' ||
  // Components bring styles and scripts to the page that uses them.
  /^[A-Z]|\./.test(node.name ?? '') ||
  codesOf(node).some((code) => ofModules.test(code))

/**
 * Whether a text consists only of markdown, formulas, code and values. Such a text is compiled separately
 * (`renderWriting`), which costs a fraction of bundling it as a module, and a change to it does not change the bundle.
 */
export const isPlainWriting = (root: Node | Fault): boolean => 'type' in root && !nodesOf(root).some(needsBundler)
