import { copyFileSync, existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { close, createIndex } from 'pagefind'
import { writeSearchIndex } from '../search/write-search-index.ts'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import { placeFile } from './images/page-image.ts'
import { isWholeDatabase } from './is-whole-database.ts'
import { searchHandover } from './search-handover.ts'

/** Where Pagefind's index lies among the client files. */
export const pagefindFolder = 'pagefind'

/** Files that Pagefind writes beside the index, and that no page uses: user interfaces and a highlighter. */
const unused = ['pagefind-ui', 'pagefind-modular-ui', 'pagefind-component-ui', 'pagefind-highlight'].flatMap((name) => [
  `${name}.js`,
  `${name}.css`,
])

/**
 * Makes `search.db`, the index for programs, from the documents that were handed over.
 *
 * @param earlier the folder of a finished build of the same code: only texts that changed since are indexed again
 */
export async function makeSearchIndex(outDir: string, earlier?: string): Promise<void> {
  const { search } = buildFiles(outDir)
  await rm(search, { force: true })
  const { list, isSame } = searchHandover.take()
  const before = earlier && buildFiles(earlier).search
  if (isSame && before && isWholeDatabase(before)) copyFileSync(before, search)
  else writeSearchIndex(search, await list(), before)
}

/**
 * Writes Pagefind's index of all pages, for the search page, among the client files.
 *
 * @throws Error when it cannot be made
 */
export async function writePagefind(client: string): Promise<void> {
  const folder = join(client, pagefindFolder)
  try {
    const { index, errors } = await createIndex()
    if (!index) throw new Error(`Pagefind: ${errors.join(', ')}`)
    const added = await index.addDirectory({ path: client })
    const written = await index.writeFiles({ outputPath: folder })
    const problems = [...added.errors, ...written.errors]
    if (problems.length > 0) throw new Error(`Pagefind: ${problems.join(', ')}`)
  } finally {
    await close()
  }
  await Promise.all(unused.map((name) => rm(join(folder, name), { force: true })))
}

/** Takes Pagefind's index from an earlier build with the same pages, or makes it where files of it are missing. */
export async function takePagefind(
  { folder, manifest }: Pick<Build, 'folder' | 'manifest'>,
  client: string,
): Promise<void> {
  const from = buildFiles(folder).client
  // Only listed files are taken here; `indexFiles` takes their compressed forms with those of all other files.
  const files = Object.values(manifest).flatMap(({ file }) => (file.startsWith(`${pagefindFolder}/`) ? [file] : []))
  if (files.length === 0 || !files.every((file) => existsSync(join(from, file)))) return writePagefind(client)
  for (const parent of new Set(files.map((file) => dirname(join(client, file)))))
    await mkdir(parent, { recursive: true })
  await Promise.all(files.map((file) => placeFile(join(from, file), join(client, file))))
}
