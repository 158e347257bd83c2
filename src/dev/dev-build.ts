import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { alsoTaken } from '../config/other-networks.ts'
import { contentTypeOf } from '../http/static/content-type.ts'
import type { StaticEntry } from '../http/static/static-manifest.ts'
import type { SearchDocument } from '../search/search-document.ts'
import { writeSearchIndex } from '../search/write-search-index.ts'
import { buildFiles, toBuildFacts } from '../storage/build-folder.ts'

/** Loads the current version of a module, by its path from the root, through Astro's development server. */
export type LoadModule = (path: string) => Promise<unknown>

const isFunction = (value: unknown): boolean => typeof value === 'function'
const callable = <F extends (...given: never[]) => unknown>() => z.custom<F>(isFunction)

const textsModule = z.object({
  getStaticPaths: callable<() => Promise<{ params: { name: string }; props: object }[]>>(),
  GET: callable<(context: { params: { name: string }; props: object }) => Promise<Response>>(),
})
const alternatesModule = z.object({
  getStaticPaths: callable<() => Promise<{ params: { path: string }; props: object }[]>>(),
  GET: callable<(context: { props: object }) => Response>(),
})
const searchModule = z.object({ listSearchDocuments: callable<() => Promise<SearchDocument[]>>() })
const documentModule = z.object({ GET: callable<() => Promise<Response>>() })

/**
 * Writes the parts of a build that a running site reads, from the current content: the texts that are sold, the index
 * of the search API, and the documents that tools read. Pages are not included.
 *
 * @throws Error when the content has a fault
 */
export async function writeDevBuild(folder: string, config: Config, load: LoadModule): Promise<void> {
  const getDocument = async (path: string) => (await documentModule.parse(await load(path)).GET()).text()
  const privateTexts = textsModule.parse(await load('/src/build/private-texts.ts'))
  const texts = new Map<string, Buffer>()
  for (const one of await privateTexts.getStaticPaths())
    texts.set(one.params.name, Buffer.from(await (await privateTexts.GET(one)).arrayBuffer()))
  const found = await searchModule.parse(await load('/src/build/search-documents.ts')).listSearchDocuments()
  const alternates = alternatesModule.parse(await load('/src/pages/[...path].md.ts'))
  const free = new Map([['api/catalog.json', await getDocument('/src/pages/api/catalog.json.ts')]])
  for (const { params, props } of await alternates.getStaticPaths())
    free.set(`${params.path}.md`, await alternates.GET({ props }).text())

  const files = buildFiles(folder)
  rmSync(folder, { recursive: true, force: true })
  for (const [name, text] of texts) write(join(files.privateTexts, name), text)
  for (const [name, text] of free) write(join(files.client, name), text)
  writeSearchIndex(files.search, found)
  const manifest = [...free].map(([name, text]) => [`/${encodeURI(name)}`, toEntry(name, text)])
  write(files.manifest, JSON.stringify(Object.fromEntries(manifest)))
  write(
    files.facts,
    JSON.stringify(toBuildFacts({ key: 'dev', program: 'dev' }, { ...config, alsoAccepts: alsoTaken(config) })),
  )
}

function write(file: string, text: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const toEntry = (name: string, text: string): StaticEntry => ({
  file: name,
  size: Buffer.byteLength(text),
  type: contentTypeOf(name),
  etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
  cache: 'no-cache',
})
