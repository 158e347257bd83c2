import { rm, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { stringify, unflatten } from 'devalue'
import { z } from 'zod'
import { type Entry, entrySchema } from '../read-folder.ts'

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

/** The entries that are compiled with the pages, and what they are: other ones need another bundle. */
export const listBundled = (entries: ReadonlyMap<string, Entry>): string[] =>
  [...entries.values()]
    .filter(({ deferredRender }) => deferredRender)
    .map(({ filePath, digest }) => `${filePath} ${digest}`)
    .sort()
