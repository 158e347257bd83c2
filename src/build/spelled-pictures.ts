import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineMdastPlugin, type MdastPluginEntry } from 'satteri'
import { findBeside } from '../content/file-beside.ts'

/**
 * Replaces the path of each picture by the spelling of the file system: the bundler compares names byte by byte, and
 * Unicode text can be normalized in several ways.
 */
export const spelledPictures: MdastPluginEntry = ({ fileURL }) =>
  fileURL &&
  defineMdastPlugin({
    name: 'spelled-pictures',
    image(node) {
      // ASCII text has only one spelling.
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
