import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ts from 'typescript'

/** The imports between folders, by their paths below the repository; a file directly in `src` is its own folder. */
export type FolderGraph = ReadonlyMap<string, ReadonlySet<string>>

/** An import of one of our files by another: paths below the repository, with `/`. */
export interface Import {
  readonly from: string
  readonly to: string
}

const tops = ['src', 'functions', 'game-server']

/** All imports between our own files, including those of types and those in Astro pages. */
export function readImports(root: string): Import[] {
  const files = tops.flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.d)\.(?:ts|mjs|astro)$/.test(name))
      .map((name) => join(top, name)),
  )
  return files.flatMap((file) =>
    ts
      .preProcessFile(toScript(file, readFileSync(join(root, file), 'utf8')))
      .importedFiles.map(({ fileName }) => fileName.replace(/\?.*$/, ''))
      .filter((name) => name.startsWith('.') && existsSync(join(root, dirname(file), name)))
      .map((name) => ({ from: toPath(file), to: toPath(relative('.', join(dirname(file), name))) }))
      .filter(({ to }) => tops.includes(to.split('/')[0] ?? '')),
  )
}

/** The code of an Astro page: its front matter and its script elements. */
function toScript(file: string, text: string): string {
  if (!file.endsWith('.astro')) return text
  const fenced = /^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? ''
  return [fenced, ...[...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script)].join('\n')
}

const toPath = (file: string): string => file.split(sep).join('/')

/**
 * The folder of a file at a depth: 2 for `src/payments`, 3 for `src/payments/wire`; undefined when the file is not that
 * deep.
 */
function folderAt(file: string, depth: number): string | undefined {
  const parts = file.split('/')
  return parts.length > depth ? parts.slice(0, depth).join('/') : undefined
}

/**
 * The folder directly below `src`, `functions` or `game-server` that contains a file, or the file itself when there is
 * none.
 */
export const toFolder = (file: string): string => folderAt(file, 2) ?? file

/** The imports between these folders. */
export const toFolderGraph = (imports: readonly Import[]): FolderGraph => toGraph(imports, toFolder)

/** The imports one level deeper, inside each of these folders. */
export function toInnerGraphs(imports: readonly Import[]): FolderGraph[] {
  const folders = new Set(imports.map(({ from }) => toFolder(from)))
  return [...folders].map((folder) =>
    toGraph(
      imports.filter(({ from, to }) => toFolder(from) === folder && toFolder(to) === folder),
      (file) => folderAt(file, 3),
    ),
  )
}

function toGraph(imports: readonly Import[], folderOf: (file: string) => string | undefined): FolderGraph {
  const graph = new Map<string, Set<string>>()
  const node = (name: string) => graph.get(name) ?? graph.set(name, new Set()).get(name)
  for (const { from, to } of imports) {
    const [a, b] = [folderOf(from), folderOf(to)]
    if (a !== undefined) node(a)
    if (b !== undefined) node(b)
    if (a !== undefined && b !== undefined && a !== b) node(a)?.add(b)
  }
  return graph
}

/** Groups of folders that import each other in a cycle. */
export function findRings(graph: FolderGraph): string[][] {
  const reach = new Map([...graph.keys()].map((from) => [from, reachable(graph, from)]))
  const inRing = (a: string, b: string) => reach.get(a)?.has(b) === true && reach.get(b)?.has(a) === true
  const rings = new Map<string, string[]>()
  for (const name of graph.keys()) {
    const ring = [...graph.keys()].filter((other) => inRing(name, other)).sort()
    if (ring.length > 1) rings.set(ring.join(), ring)
  }
  return [...rings.values()]
}

/** Every folder that can be reached from one by following imports. */
export function reachable(graph: FolderGraph, from: string): Set<string> {
  const seen = new Set<string>()
  const waiting = [...(graph.get(from) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    waiting.push(...(graph.get(next) ?? []))
  }
  return seen
}
