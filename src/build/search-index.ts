import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { close, createIndex } from 'pagefind'
import { writeSearchIndex } from '../search/write-search-index.ts'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import { placeFile } from './images/page-image.ts'
import { searchHandover } from './search-handover.ts'

/** Where Pagefind's index lies among the client files. */
export const pagefindFolder = 'pagefind'

/** What Pagefind writes beside the index: interfaces and a highlighter that no page of ours uses. */
const unused = ['pagefind-ui', 'pagefind-modular-ui', 'pagefind-component-ui', 'pagefind-highlight'].flatMap((name) => [
  `${name}.js`,
  `${name}.css`,
])

/**
 * Makes `search.db`, the index for programs, of what pages have handed over.
 *
 * @param earlier the folder of a finished build of the same code: of its texts only those that changed are read again
 */
export async function makeSearchIndex(outDir: string, earlier?: string): Promise<void> {
  const { search } = buildFiles(outDir)
  await rm(search, { force: true })
  writeSearchIndex(search, searchHandover.take(), earlier && buildFiles(earlier).search)
}

/**
 * Writes Pagefind's index for the search page among the client files, of all pages there, to be listed with them.
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

/** The same of an earlier build whose pages were no others; where files of it are gone, it is made. */
export async function takePagefind(
  { folder, manifest }: Pick<Build, 'folder' | 'manifest'>,
  client: string,
): Promise<void> {
  const from = buildFiles(folder).client
  // Their compressed forms, which are not listed, are taken with all the others.
  const files = Object.values(manifest).flatMap(({ file }) => (file.startsWith(`${pagefindFolder}/`) ? [file] : []))
  if (files.length === 0 || !files.every((file) => existsSync(join(from, file)))) return writePagefind(client)
  for (const parent of new Set(files.map((file) => dirname(join(client, file)))))
    await mkdir(parent, { recursive: true })
  await Promise.all(files.map((file) => placeFile(join(from, file), join(client, file))))
}
