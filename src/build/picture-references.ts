import { defineMdastPlugin, type MdastNode, type MdastPluginEntry } from 'satteri'

const nodesOf = (node: Readonly<MdastNode>): Readonly<MdastNode>[] => [
  node,
  ...('children' in node ? node.children.flatMap(nodesOf) : []),
]

/**
 * Turns a picture reference (`![A cat][cat]`) into a picture with the file that its definition names. Astro resolves
 * files beside a text only for pictures, not for references, and would leave an address that leads nowhere.
 */
export const pictureReferences: MdastPluginEntry = () => {
  const files = new Map<string, { readonly url: string; readonly title?: string | null | undefined }>()
  return defineMdastPlugin({
    name: 'picture-references',
    before(root) {
      for (const node of nodesOf(root))
        if (node.type === 'definition' && !files.has(node.identifier)) files.set(node.identifier, node)
    },
    imageReference({ identifier, alt }) {
      const file = files.get(identifier)
      return file && { type: 'image', url: file.url, title: file.title ?? null, alt: alt ?? '' }
    },
  })
}
