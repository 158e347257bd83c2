import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineMdastPlugin, type MdastPluginEntry } from 'satteri'
import { findBeside } from '../content/file-beside.ts'

/** Spells the file of each picture as its folder does, which the bundler of the pages looks for by its bytes. */
export const spelledPictures: MdastPluginEntry = ({ fileURL }) =>
  fileURL &&
  defineMdastPlugin({
    name: 'spelled-pictures',
    image(node) {
      // Of ASCII there is one spelling.
      const path = decodeURI(node.url)
      if (!/[^\0-\x7f]/.test(path) || path.startsWith('/') || URL.canParse(path)) return undefined
      const file = fileURLToPath(fileURL)
      const found = findBeside(file, path)
      const spelled = found && `./${relative(dirname(file), found).replaceAll(sep, '/')}`
      return spelled === undefined
        ? undefined
        : { type: 'image', url: encodeURI(spelled), title: node.title, alt: node.alt }
    },
  })
