import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { sha256 } from '../core/sha256.ts'
import { isOlder } from '../storage/is-older.ts'

const madeSchema = z.object({
  alt: z.string(),
  files: z.array(
    z.object({ name: z.string(), path: z.string(), width: z.int(), height: z.int(), bytes: z.int().positive() }),
  ),
})

/** Finished picture files with what a page must know of them. */
export type KeptImages = z.output<typeof madeSchema>

/** One of them. */
export type KeptFile = KeptImages['files'][number]

/** One file before it is stored. Its name begins with `purpose`. */
export interface MadeFile {
  readonly purpose: string
  readonly type: 'avif' | 'jpg' | 'png' | 'svg' | 'ico'
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** The files made of one picture. */
export interface MadeFiles {
  readonly alt: string
  readonly files: readonly MadeFile[]
}

const keptMs = 60 * 24 * 60 * 60 * 1000
const list = 'files.json'

/** Opens the cache of pictures that builds share. The folder need not exist. */
export const openImageCache = (folder: string) => ({
  /**
   * The files for a key, made only if they are not cached. The key must contain everything that determines their bytes.
   */
  async findOrMake(key: string, make: () => Promise<MadeFiles>): Promise<KeptImages> {
    const place = placeOf(folder, key)
    if (!existsSync(join(place, list))) await keep(place, await make())
    await utimes(place, new Date(), new Date())
    const { alt, files } = madeSchema.parse(JSON.parse(await readFile(join(place, list), 'utf8')))
    // Paths are derived anew, because the folder may have been moved or mounted elsewhere.
    return { alt, files: files.map((file) => ({ ...file, path: join(place, file.name) })) }
  },
  /** Whether there are files for a key. */
  has: (key: string): boolean => existsSync(join(placeOf(folder, key), list)),
  /** The file of that name, for the development server, which has no client folder. */
  async find(name: string): Promise<string | undefined> {
    if (basename(name) !== name || !existsSync(folder)) return undefined
    const places = (await readdir(folder)).map((place) => join(folder, place, name))
    return places.find((path) => existsSync(path))
  },
  /** Removes what has not been used for 60 days. */
  async prune(now: Date): Promise<void> {
    for (const item of existsSync(folder) ? await readdir(folder) : []) {
      const place = join(folder, item)
      // Temporary folders and claim files of this age are leftovers, too.
      if (await isOlder(place, now.getTime() - keptMs)) await rm(place, { recursive: true, force: true })
    }
  },
})

const placeOf = (folder: string, key: string): string => join(folder, sha256(key).slice(0, 32))

/** Writes the files into a temporary folder and renames it, so that a killed build leaves no incomplete entry. */
async function keep(place: string, made: MadeFiles): Promise<void> {
  const fresh = `${place}.${randomUUID()}`
  await mkdir(fresh, { recursive: true })
  const files = await Promise.all(
    made.files.map(async ({ purpose, type, bytes, width, height }): Promise<KeptFile> => {
      const name = `${purpose}-${sha256(bytes).slice(0, 10)}.${type}`
      await writeFile(join(fresh, name), bytes)
      return { name, path: join(place, name), width, height, bytes: bytes.length }
    }),
  )
  await writeFile(join(fresh, list), JSON.stringify({ alt: made.alt, files }))
  try {
    await rename(fresh, place)
  } catch {
    // Another process stored the same picture first, or the removal of an old one was interrupted and left a part of it.
    const isWhole = existsSync(join(place, list))
    await rm(isWhole ? fresh : place, { recursive: true, force: true })
    if (!isWhole) await rename(fresh, place)
  }
}
