import { matchesGlob } from 'node:path'
import { type FolderGraph, reachable } from './folder-graph.ts'
import type { Layer } from './layers.ts'

const toId = (folder: string): string => folder.replaceAll(/[^a-z0-9]/gi, '_')

/**
 * The folders as a Mermaid flow chart, layer by layer. An arrow means "imports". Arrows that others imply (a → c if
 * there are a → b → c) are left out.
 */
export function drawFolders(graph: FolderGraph, layers: readonly Layer[]): string {
  const boxes = layers.map(({ title, about, folders }) => {
    const inside = [...graph.keys()].filter((folder) => folders.some((glob) => matchesGlob(folder, glob))).sort()
    return [
      `  subgraph ${title}["${title}: ${about}"]`,
      ...inside.map((folder) => `    ${toId(folder)}["${folder}"]`),
      '  end',
    ].join('\n')
  })
  const arrows = [...graph].flatMap(([from, others]) =>
    [...others].filter((to) => !isImplied(graph, from, to)).map((to) => `  ${toId(from)} --> ${toId(to)}`),
  )
  return ['```mermaid', 'flowchart TD', ...boxes, ...arrows.sort(), '```'].join('\n')
}

const isImplied = (graph: FolderGraph, from: string, to: string): boolean =>
  [...(graph.get(from) ?? [])].some((between) => between !== to && reachable(graph, between).has(to))
