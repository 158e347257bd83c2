import { type Node, nodesOf } from './writing-tree.ts'

/** How many characters of text a first screen may show, on a desktop as well as on a phone. */
const firstScreen = 1000

/** The types of the nodes in the first blocks of a text, as many as a first screen may show. */
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
