import { cpSync, rmSync } from 'node:fs'
import type { SearchDocument } from '../src/search/search-document.ts'
import { writeSearchIndex } from '../src/search/write-search-index.ts'
import { buildFiles } from '../src/storage/build-folder.ts'
import type { Bench } from './row.ts'
import type { Server } from './server.ts'
import { startOurSite } from './start-our-site.ts'

/** Starts our site with the search index of these posts in place of its own. */
export async function startSearchSite(
  bench: Bench,
  posts: readonly SearchDocument[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const build = bench.newFolder()
  cpSync(bench.build, build, { recursive: true })
  const { search: index } = buildFiles(build)
  rmSync(index)
  writeSearchIndex(index, posts)
  return startOurSite({ ...bench, build }, settings)
}
