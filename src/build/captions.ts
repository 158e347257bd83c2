import { defineMdastPlugin } from 'satteri'
import { findCaptioned } from '../content/find-captioned.ts'

/** Makes a `<Figure>` of a picture with a title that is alone in its paragraph, as every other form of a post does. */
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
