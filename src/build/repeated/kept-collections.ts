import { rm, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { stringify, unflatten } from 'devalue'
import { z } from 'zod'
import { type Entry, entrySchema } from '../read-folder.ts'

/** Collections by name, each a map of entries, as Astro's content store holds them. */
type Collections = Map<unknown, unknown>

/** Reads the content store that Astro bundled. */
export async function readCollections(file: string): Promise<Collections> {
  const { default: flat }: { default: number | unknown[] } = await import(pathToFileURL(file).href)
  return z.map(z.unknown(), z.unknown()).parse(unflatten(flat))
}

/** Replaces the content store. The file is removed first, because it may be a hard link into an earlier build. */
export async function replaceCollections(file: string, collections: Collections): Promise<void> {
  await rm(file)
  await writeFile(file, `export default JSON.parse(${JSON.stringify(stringify(collections))})\n`)
}

/** The entries of a collection; an empty map where it has none, because Astro stores no empty collections. */
export const entriesOf = (collections: Collections, name: string): Map<string, Entry> =>
  z.map(z.string(), entrySchema).parse(collections.get(name) ?? new Map())

/** File and digest of the entries that are compiled with the pages: if these differ, a new bundle is needed. */
export const listBundled = (entries: ReadonlyMap<string, Entry>): string[] =>
  [...entries.values()]
    .filter(({ deferredRender }) => deferredRender)
    .map(({ filePath, digest }) => `${filePath} ${digest}`)
    .sort()
