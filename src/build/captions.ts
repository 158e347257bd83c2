import { defineMdastPlugin } from 'satteri'
import { findCaptioned } from '../content/find-captioned.ts'

/** Turns a picture with a title, alone in its paragraph, into a `<Figure>`, as all other forms of a post show it. */
export const captions = defineMdastPlugin({
  name: 'captions',
  paragraph(node) {
    const [image] = node.children
    const { caption } = findCaptioned(node) ?? {}
    if (caption === undefined || image?.type !== 'image') return undefined
    const { url, alt } = image
    return {
      type: 'mdxJsxFlowElement',
      name: 'Figure',
      attributes: [{ type: 'mdxJsxAttribute', name: 'caption', value: caption }],
      children: [{ type: 'paragraph', children: [{ type: 'image', url, alt }] }],
    }
  },
})
