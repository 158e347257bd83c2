import { copyFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { writeSearchIndex } from '../search/write-search-index.ts'
import { buildFiles } from '../storage/build-folder.ts'
import { isWholeDatabase } from './is-whole-database.ts'
import { searchHandover } from './search-handover.ts'
import { openThreads } from './threads/open-threads.ts'

/** One database is written at a time. */
const thread = openThreads<Parameters<typeof writeSearchIndex>, ReturnType<typeof writeSearchIndex>>(
  new URL('threads/search-thread.ts', import.meta.url),
  1,
)

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
  else await thread.run([search, await list(), before])
}
