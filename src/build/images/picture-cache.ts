import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The `cacheDir` of astro.config.mjs. */
const cacheFolder = '.astro'

/**
 * Opens Astro's cache of pictures. Astro writes them in place and takes every file that it finds for complete: after a
 * build that met a full disk, or was killed, each later one would publish a truncated picture. So what was written
 * since such a build began is removed, and made again.
 */
export async function openPictureCache(root: string): Promise<{ close: () => Promise<void> }> {
  const folder = join(root, cacheFolder)
  const unfinished = join(folder, 'unfinished')
  if (existsSync(unfinished)) await removeSince((await stat(unfinished)).mtimeMs, join(folder, 'assets'))
  await mkdir(folder, { recursive: true })
  await writeFile(unfinished, '')
  return {
    /** Call it when the build has succeeded. */
    close: () => rm(unfinished, { force: true }),
  }
}

async function removeSince(time: number, folder: string): Promise<void> {
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    const file = join(folder, name)
    if ((await stat(file)).mtimeMs >= time) await rm(file, { recursive: true, force: true })
  }
}
