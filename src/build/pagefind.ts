import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { close, createIndex, type PagefindIndex } from 'pagefind'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import { placeFile } from './images/page-image.ts'

/** Where Pagefind's index lies among the client files. */
export const pagefindFolder = 'pagefind'

/** Files that Pagefind writes beside the index, and that no page uses: user interfaces and a highlighter. */
const unused = ['pagefind-ui', 'pagefind-modular-ui', 'pagefind-component-ui', 'pagefind-highlight'].flatMap((name) => [
  `${name}.js`,
  `${name}.css`,
])

/** Whether a page belongs into the index; Pagefind leaves out the others. */
export const isIndexed = (html: string): boolean => html.includes('data-pagefind-body')

/**
 * Makes Pagefind's index of all pages, for the search page. Pagefind runs in a process of its own.
 *
 * @param client the folder of the client files
 */
export function openPagefind(client: string) {
  let begun: Promise<PagefindIndex> | undefined
  return {
    /** Starts to read the pages in the client folder, if those that belong into the index are there. */
    begin(): void {
      begun = readPages(client)
      // `write` throws it.
      begun.catch(() => {})
    },
    /**
     * Writes the index among the client files.
     *
     * @param isBegun whether the pages were there when `begin` was called; otherwise they are read now
     * @throws Error when it cannot be made
     */
    async write(isBegun = false): Promise<void> {
      const folder = join(client, pagefindFolder)
      try {
        if (!isBegun && begun) await close()
        const index = await ((isBegun && begun) || readPages(client))
        refuseErrors(await index.writeFiles({ outputPath: folder }))
      } finally {
        await close()
      }
      await Promise.all(unused.map((name) => rm(join(folder, name), { force: true })))
    },
    /**
     * Takes the index from an earlier build with the same pages, or makes it where files of it are missing.
     *
     * @throws Error when it cannot be made
     */
    async take({ folder, manifest }: Pick<Build, 'folder' | 'manifest'>): Promise<void> {
      const from = buildFiles(folder).client
      // Only listed files are taken here; `indexFiles` takes their compressed forms with those of all other files.
      const files = Object.values(manifest).flatMap(({ file }) => (file.startsWith(`${pagefindFolder}/`) ? [file] : []))
      if (files.length === 0 || !files.every((file) => existsSync(join(from, file)))) return this.write()
      for (const parent of new Set(files.map((file) => dirname(join(client, file)))))
        await mkdir(parent, { recursive: true })
      await Promise.all(files.map((file) => placeFile(join(from, file), join(client, file))))
    },
  }
}

async function readPages(client: string): Promise<PagefindIndex> {
  const { index, errors } = await createIndex()
  refuseErrors({ errors })
  if (!index) throw new Error('Pagefind made no index')
  refuseErrors(await index.addDirectory({ path: client }))
  return index
}

function refuseErrors({ errors }: { readonly errors: readonly string[] }): void {
  if (errors.length > 0) throw new Error(`Pagefind: ${errors.join(', ')}`)
}
