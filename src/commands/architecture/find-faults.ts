import { matchesGlob } from 'node:path'
import { findRings, type Import, toFolder, toFolderGraph, toInnerGraphs } from './folder-graph.ts'
import type { Layer } from './layers.ts'

/** The faults of the folders, one sentence each: a folder in no layer, an import from a higher layer, a cycle. */
export function findFaults(imports: readonly Import[], layers: readonly Layer[]): string[] {
  const folders = toFolderGraph(imports)
  const heightOf = (folder: string) =>
    layers.findIndex(({ folders }) => folders.some((glob) => matchesGlob(folder, glob)))
  const missing = [...folders.keys()].filter((folder) => heightOf(folder) < 0)
  const upward = imports.filter(({ from, to }) => heightOf(toFolder(to)) < heightOf(toFolder(from)))
  const rings = [folders, ...toInnerGraphs(imports)].flatMap(findRings)
  return [
    ...missing.map((folder) => `${folder} is in no layer of src/commands/architecture/layers.ts`),
    ...upward.map(({ from, to }) => `${from} imports ${to}, which lies in a layer above it`),
    ...rings.map((ring) => `${ring.join(', ')} import each other in a ring`),
  ]
}
