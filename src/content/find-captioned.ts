import type { Node } from './writing-tree.ts'

/** A picture that is alone in its paragraph and has a title, which is its caption: `![A cat](./cat.png "Tom, asleep")`. */
export function findCaptioned({ type, children = [] }: Node): { picture: Node; caption: string } | undefined {
  const [picture] = children
  if (type !== 'paragraph' || children.length !== 1 || picture?.type !== 'image' || !picture.title) return undefined
  return { picture, caption: picture.title }
}
