import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** As astro.config.mjs has it. */
const cacheFolder = '.astro'

/**
 * Opens the pictures that Astro keeps from one build to the next. It writes them in place and takes whatever is there
 * for whole: of a build that found the disk full, or was killed, each later one would publish a picture without its end.
 * So what was written since such a build began is removed, and made again.
 */
export async function openPictureCache(root: string): Promise<{ close: () => Promise<void> }> {
  const folder = join(root, cacheFolder)
  const unfinished = join(folder, 'unfinished')
  if (existsSync(unfinished)) await removeSince((await stat(unfinished)).mtimeMs, join(folder, 'assets'))
  await mkdir(folder, { recursive: true })
  await writeFile(unfinished, '')
  return {
    /** To be called when the build is finished. */
    close: () => rm(unfinished, { force: true }),
  }
}

async function removeSince(time: number, folder: string): Promise<void> {
  for (const name of existsSync(folder) ? await readdir(folder) : []) {
    const file = join(folder, name)
    if ((await stat(file)).mtimeMs >= time) await rm(file, { recursive: true, force: true })
  }
}
