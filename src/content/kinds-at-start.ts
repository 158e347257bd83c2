import { type Node, nodesOf } from './writing-tree.ts'

/** Characters of text that a first screen may show, a desk's as well as a telephone's. */
const firstScreen = 1000

/** The types of the nodes in the blocks that a text begins with, as far as a first screen may show them. */
export function kindsAtStart(root: Node): Set<string> {
  const kinds = new Set<string>()
  let shown = 0
  for (const block of root.children ?? []) {
    if (shown >= firstScreen) break
    for (const { type, value = '' } of nodesOf(block)) {
      kinds.add(type)
      shown += value.length
    }
  }
  return kinds
}
