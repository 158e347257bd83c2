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

/** One file before it is kept. `purpose` begins its name. */
export interface MadeFile {
  readonly purpose: string
  readonly type: 'avif' | 'jpg' | 'png' | 'svg' | 'ico'
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** What a picture comes to. */
export interface MadeFiles {
  readonly alt: string
  readonly files: readonly MadeFile[]
}

const keptMs = 60 * 24 * 60 * 60 * 1000
const list = 'files.json'

/** Pictures that outlive the builds that made them, in a folder, which need not exist. */
export const openImageCache = (folder: string) => ({
  /** The files for a key, made only when nobody did before; all that the bytes follow from is in the key. */
  async findOrMake(key: string, make: () => Promise<MadeFiles>): Promise<KeptImages> {
    const place = placeOf(folder, key)
    if (!existsSync(join(place, list))) await keep(place, await make())
    await utimes(place, new Date(), new Date())
    const { alt, files } = madeSchema.parse(JSON.parse(await readFile(join(place, list), 'utf8')))
    // The folder may have been moved since, or be seen from another place.
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
  /** Forgets what no build has used for two months. */
  async prune(now: Date): Promise<void> {
    for (const item of existsSync(folder) ? await readdir(folder) : []) {
      const place = join(folder, item)
      // What another program was drawing has been moved to its place meanwhile, or is claimed no more.
      if (await isOlder(place, now.getTime() - keptMs)) await rm(place, { recursive: true, force: true })
    }
  },
})

const placeOf = (folder: string, key: string): string => join(folder, sha256(key).slice(0, 32))

/** Written beside its place and moved there whole, so that a killed build leaves nothing half made. */
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
  // Another build of the same picture was faster: its files are the same.
  await rename(fresh, place).catch(() => rm(fresh, { recursive: true, force: true }))
}
