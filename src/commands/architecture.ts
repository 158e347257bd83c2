// `npm run architecture`: redraws the folders in docs/architecture.md after their imports changed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawFolders } from './architecture/draw-folders.ts'
import { findFaults } from './architecture/find-faults.ts'
import { readImports, toFolderGraph } from './architecture/folder-graph.ts'
import { layers } from './architecture/layers.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const file = join(root, 'docs/architecture.md')
const drawing = /(?<=<!-- folders -->\n)[\s\S]*(?=<!-- \/folders -->)/

/**
 * Whether imports between folders follow the layers without cycles and the drawing is up to date; prints what is wrong.
 */
export function areLayersKept(): boolean {
  const imports = readImports(root)
  const faults = findFaults(imports, layers)
  if (faults.length === 0 && readFileSync(file, 'utf8') !== draw(toFolderGraph(imports)))
    faults.push('docs/architecture.md does not show the folders as they are; run `npm run architecture` and commit it')
  for (const fault of faults) console.error(fault)
  return faults.length === 0
}

const draw = (graph: ReturnType<typeof toFolderGraph>): string =>
  readFileSync(file, 'utf8').replace(drawing, () => `\n${drawFolders(graph, layers)}\n\n`)

if (import.meta.main) writeFileSync(file, draw(toFolderGraph(readImports(root))))
