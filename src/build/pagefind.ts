import { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { close, createIndex } from 'pagefind'
import { z } from 'zod'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import { hasFixedOrder } from './has-fixed-order.ts'
import { placeFile } from './images/page-image.ts'
import { listFiles } from './list-files.ts'

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
  const folder = join(client, pagefindFolder)
  let begun: Promise<void> | undefined
  return {
    /** Starts to make the index of the pages in the client folder, if those that belong into it are there. */
    begin(): void {
      begun = writeIndex(client, folder)
      // `write` reports it, or the process was ended because nobody needs it any more.
      begun.catch(() => {})
    },
    /**
     * Writes the index among the client files.
     *
     * @param isBegun whether the pages were there when `begin` was called; otherwise they are read now
     * @throws Error when it cannot be made
     */
    async write(isBegun = false): Promise<void> {
      try {
        if (!isBegun && begun) {
          await close()
          await begun.catch(() => {})
          await rm(folder, { recursive: true, force: true })
        }
        await ((isBegun && begun) || writeIndex(client, folder))
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
      for (const file of files) placeFile(join(from, file), join(client, file))
    },
  }
}

const isPage = (name: string): boolean => name.endsWith('.html')
const toLiteral = (name: string): string => name.replace(/[?*$:<>()[\]{},\\]/g, '\\$&')

/**
 * Starts Pagefind, and lets it read the pages below a folder and write their index into another one. It numbers pages in
 * the order in which it reads them, which is that of the file system, and quickest. Where that depends on how the files
 * were written, it is told each page, so that the same pages always have the same index. Its library would
 * wait for ever for a process that ends early, as Pagefind does on a full disk, so the end of the process is watched
 * here.
 */
async function writeIndex(client: string, folder: string): Promise<void> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const watch = (message: unknown) => {
    const { process } = z.object({ process: z.instanceof(ChildProcess) }).parse(message)
    process.once('exit', (code, signal) => reject(new Error(`Pagefind ended with ${code ?? signal}`)))
  }
  // The library starts the process within this call, and tells nobody which it is.
  subscribe('child_process', watch)
  const created = createIndex()
  unsubscribe('child_process', watch)
  const write = async (): Promise<void> => {
    const { index, errors } = await created
    refuseErrors({ errors })
    if (!index) throw new Error('Pagefind made no index')
    for (const glob of hasFixedOrder(dirname(client)) ? [undefined] : listFiles(client).filter(isPage).map(toLiteral))
      refuseErrors(await index.addDirectory({ path: client, ...(glob !== undefined && { glob }) }))
    refuseErrors(await index.writeFiles({ outputPath: folder }))
  }
  // The process is ended once its work is done, too.
  ended.catch(() => {})
  await Promise.race([write(), ended])
}

function refuseErrors({ errors }: { readonly errors: readonly string[] }): void {
  if (errors.length > 0) throw new Error(`Pagefind: ${errors.join(', ')}`)
}
