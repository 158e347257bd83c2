import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseFrontmatter } from '@astrojs/internal-helpers/frontmatter'
import { stringify, unflatten } from 'devalue'
import { z } from 'zod'
import { type ContentFolder, makeIdRegister, readEntry, toDigest, toPlainId } from '../../content/content-folder.ts'

/** An entry as Astro's store of content has it. */
const entrySchema = z.looseObject({
  filePath: z.string().optional(),
  digest: z.string().optional(),
  /** Of what is compiled with the pages. */
  deferredRender: z.literal(true).optional(),
})

type Entry = z.output<typeof entrySchema>

/** The entries of each collection by their names, as Astro's store of content has them. */
type Collections = Map<unknown, unknown>

/** Reads what Astro has bundled of the content. */
export async function readCollections(file: string): Promise<Collections> {
  const { default: flat }: { default: number | unknown[] } = await import(pathToFileURL(file).href)
  return z.map(z.unknown(), z.unknown()).parse(unflatten(flat))
}

/** Puts other content in its place; the file may also be that of an earlier build. */
export async function replaceCollections(file: string, collections: Collections): Promise<void> {
  await rm(file)
  await writeFile(file, `export default JSON.parse(${JSON.stringify(stringify(collections))})\n`)
}

/** The entries of a collection; an empty map where it has none, for Astro then keeps nothing under its name. */
export const entriesOf = (collections: Collections, name: string): Map<string, Entry> =>
  z.map(z.string(), entrySchema).parse(collections.get(name) ?? new Map())

const concurrency = 10

/**
 * Reads a folder of content as Astro's loader of it does (`contentFolder`). Of files that did not change, what was read
 * before is taken.
 *
 * @throws Error of sentences that name file, line and, where it is one, the field
 */
export async function readFolder<Schema extends z.ZodType>(
  folder: ContentFolder<Schema>,
  before: ReadonlyMap<string, Entry>,
): Promise<Map<string, Entry>> {
  const { base, pattern, toId = toPlainId } = folder
  const strays = folder.findStrays?.() ?? []
  if (strays.length > 0) throw new Error(strays.join('\n'))
  const register = makeIdRegister()
  // Nobody keeps an empty folder.
  const found = existsSync(base) ? await readdir(base, { recursive: true }) : []
  const names = found.filter((name) => matchesGlob(name, pattern))
  const entries = new Map<string, Entry>()
  const queue = names.values()
  const work = async () => {
    for (const name of queue) {
      const file = join(base, name)
      const source = await readFile(file, 'utf8')
      const id = register(toId(name), file)
      const digest = toDigest(source)
      const known = before.get(id)
      const isKnown = known?.digest === digest && known.filePath === file
      entries.set(id, isKnown ? known : { id, ...read(folder, { id, file, source }), filePath: file, digest })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return entries
}

function read<Schema extends z.ZodType>(
  folder: ContentFolder<Schema>,
  { id, file, source }: { readonly id: string; readonly file: string; readonly source: string },
): Entry {
  const { frontmatter } = parseFrontmatter(source)
  const data = readEntry(folder, { id, data: frontmatter, file, source })
  return { data, ...(folder.isCompiledLater?.(source) !== true && { deferredRender: true }) }
}

/** The entries that are compiled with the pages, and what they are: other ones need another bundle. */
export const listBundled = (entries: ReadonlyMap<string, Entry>): string[] =>
  [...entries.values()]
    .filter(({ deferredRender }) => deferredRender)
    .map(({ filePath, digest }) => `${filePath} ${digest}`)
    .sort()
