import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMadeImages } from '../../src/build/images/made-images.ts'
import { openPostPictures } from '../../src/build/images/post-images.ts'
import { readStaticManifest } from '../../src/http/static/static-manifest.ts'
import { readCoverTasks } from '../../src/images/cover-tasks.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { testBuild } from './running-site.ts'

/** The tested build as if it had left the pictures of one post to the site, which draws them on request. */
export async function makeDeferredBuild(slug: string) {
  const folder = mkdtempSync(join(tmpdir(), 'deferred-build-'))
  const tested = buildFiles(testBuild())
  for (const name of readdirSync(testBuild())) {
    if (name !== 'manifest.json') symlinkSync(join(testBuild(), name), join(folder, name))
  }
  const source = readCoverTasks(tested.privateCovers)[slug]?.source
  if (!source) throw new Error(`nothing is drawn for ${slug}`)
  const { title, excerpt, style } = source
  const other = join(folder, 'other')
  mkdirSync(join(other, 'client'), { recursive: true })
  const made = openMadeImages(join(other, 'cache'))
  const pictures = openPostPictures(made, 0)
  await pictures.get({ id: slug, data: { title, excerpt, cover: { style } } })
  await pictures.write(other)
  await made.close()
  symlinkSync(buildFiles(other).deferredPictures, buildFiles(folder).deferredPictures)
  const listed = Object.entries(readStaticManifest(tested.manifest))
  const left = listed.filter(([url]) => !url.startsWith(`/_astro/${slug}-`))
  writeFileSync(buildFiles(folder).manifest, JSON.stringify(Object.fromEntries(left)))
  return { folder, taken: listed.length - left.length, remove: () => rmSync(folder, { recursive: true }) }
}
