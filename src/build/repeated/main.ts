// Makes the pages of a site from Astro's bundle of an earlier build of the same code: `node main.ts EARLIER OUT`, run
// in the repository. The exit code is `needsBundle` where the posts need a new bundle.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCollections } from '../../collections.ts'
import { readConfig } from '../../config/config.ts'
import { buildFiles, loadBuild } from '../../storage/build-folder.ts'
import { takeBuyerBundle } from '../buyer-bundle.ts'
import { beginToCompile } from '../compile-in-thread.ts'
import { PictureUnmade } from '../images/astro-pictures.ts'
import { getSiteImages } from '../images/build-images.ts'
import { readFolder } from '../read-folder.ts'
import { openSiteBuild } from '../site-build.ts'
import { findCollectionsFile, openBundle, takeBundle } from './kept-bundle.ts'
import { entriesOf, listBundled, readCollections, replaceCollections } from './kept-collections.ts'
import { needsBundle } from './run-repeated-build.ts'

/** How many new and changed posts are compiled while others are read: enough to load what most of them need. */
const begunEarly = 8

/** @returns whether the bundle of the earlier build could be used */
async function repeatBuild(earlier: string, outDir: string): Promise<boolean> {
  const root = process.cwd()
  const { baseUrl } = readConfig(process.env)
  const [{ bundle: before }, { bundle }] = [buildFiles(earlier), buildFiles(outDir)]
  const file = findCollectionsFile(before)
  if (file === undefined) return false
  const collections = await readCollections(join(before, file))
  const known = entriesOf(collections, 'posts')
  const { posts } = await openCollections()
  const entries = readFolder(posts, known)
  if (`${listBundled(entries)}` !== `${listBundled(known)}`) return false

  const changed = [...entries].filter(([id, { digest }]) => digest !== known.get(id)?.digest).map(([, entry]) => entry)
  for (const { filePath } of changed.filter(({ deferredRender }) => !deferredRender).slice(0, begunEarly))
    if (filePath !== undefined) beginToCompile(readFileSync(filePath, 'utf8'), filePath)

  const build = loadBuild(earlier)
  const assets = await takeBundle(build, { root, outDir })
  await replaceCollections(join(bundle, file), new Map([...collections, ['posts', entries]]))

  const digests = new Map<string, string>()
  for (const { filePath, digest } of entries.values())
    if (filePath !== undefined && digest !== undefined) digests.set(filePath, digest)
  const next = await openSiteBuild({ root, outDir, baseUrl, earlier: build, assets, digests })
  // The bundle contains the pictures' addresses, but only pictures requested in this process are written to files.
  await getSiteImages()
  try {
    const [redirect] = await next.writePages(await openBundle({ outDir, earlier }))
    if (redirect) throw new Error(`${redirect.pathname} is a redirect, which only a whole build can write`)
    next.noteHeaders()
  } catch (error) {
    // For example the portrait of an author whose first post this is: only Astro can generate it.
    if (error instanceof PictureUnmade) return false
    throw error
  }
  await next.finish(await takeBuyerBundle(root, earlier))
  return true
}

const [earlier = '', outDir = ''] = process.argv.slice(2)
// Exits without waiting for work that was begun for an abandoned build.
process.exit((await repeatBuild(earlier, outDir)) ? 0 : needsBundle)
