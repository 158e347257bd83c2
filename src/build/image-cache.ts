import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { sha256 } from '../sha256.ts'

/** Inside Astro's cache folder: it survives builds and installations and is never in git. */
const folder = '.astro/covers'
const keptMs = 60 * 24 * 60 * 60 * 1000

const filesSchema = z.object({
  alt: z.string(),
  files: z.array(z.object({ name: z.string(), path: z.string(), width: z.int(), height: z.int() })),
})

/** Finished picture files with what a page must know of them. */
export type ImageFiles = z.output<typeof filesSchema>

/** One file before it is kept. */
export interface MadeFile {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
  readonly type: 'webp' | 'jpg'
}

/**
 * The files of one picture, made only when no earlier build did. Names carry the hash of the bytes.
 *
 * @param inputs everything that the bytes follow from
 */
export async function findOrMake(
  name: string,
  inputs: readonly (string | number)[],
  make: () => Promise<{ alt: string; files: readonly MadeFile[] }>,
): Promise<ImageFiles> {
  const place = join(folder, sha256(name, JSON.stringify(inputs)).slice(0, 32))
  const list = join(place, 'files.json')
  if (!existsSync(list)) await keep(place, name, await make())
  await utimes(place, new Date(), new Date())
  return filesSchema.parse(JSON.parse(await readFile(list, 'utf8')))
}

/** Written beside its place and moved there whole, so that a killed build leaves nothing half made. */
async function keep(place: string, name: string, made: { alt: string; files: readonly MadeFile[] }): Promise<void> {
  const fresh = `${place}.${randomUUID()}`
  await mkdir(fresh, { recursive: true })
  const files = await Promise.all(
    made.files.map(async ({ bytes, width, height, type }) => {
      const hash = sha256(bytes).slice(0, 10)
      const file = `${name}-${width}.${hash}.${type}`
      await writeFile(join(fresh, file), bytes)
      return { name: file, path: join(place, file), width, height }
    }),
  )
  await writeFile(join(fresh, 'files.json'), JSON.stringify({ alt: made.alt, files }))
  // Another build of the same picture was faster: its files are the same.
  await rename(fresh, place).catch(() => rm(fresh, { recursive: true, force: true }))
}

/** Forgets pictures that no build has used for two months. */
export async function pruneImages(now: Date): Promise<void> {
  for (const item of existsSync(folder) ? await readdir(folder) : []) {
    const place = join(folder, item)
    if (now.getTime() - (await stat(place)).mtimeMs > keptMs) await rm(place, { recursive: true, force: true })
  }
}
