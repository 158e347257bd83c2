import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode, writeAtomically } from '../../storage/write-atomically.ts'

const ms = z.int().nonnegative()
const aboutSchema = z.object({
  durationMs: z.int().positive(),
  voiceId: z.string(),
  cues: z.array(z.object({ text: z.string(), startMs: ms, endMs: ms })),
  chapters: z.array(z.object({ title: z.string(), startMs: ms })),
})

/** A finished MP3 with what a response says about it. */
export interface FinishedNarration extends Readonly<z.output<typeof aboutSchema>> {
  readonly mp3: Uint8Array
}

/** A cache of finished narrations, so that a repeated request is answered at once. */
export interface FinishedNarrations {
  /**
   * The narration of a key; undefined when there is none, or a damaged one, which is removed.
   *
   * @throws Error of the file system when it cannot be read now
   */
  find(key: string): Promise<FinishedNarration | undefined>
  keep(key: string, narration: FinishedNarration): Promise<void>
}

const ending = '.narration'
/** Length of the first line of a file: SHA-256 in hexadecimal. */
const sumLength = 64

/** SHA-256, computed off the event loop: hashing half an hour of audio takes as long as sending a page. */
const sumOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')

/** The file of a narration: a line with the checksum of the rest, a line of JSON, and the MP3. */
export async function toNarrationFile({ mp3, ...about }: FinishedNarration): Promise<Buffer> {
  const summed = Buffer.concat([Buffer.from(`${JSON.stringify(about)}\n`), mp3])
  return Buffer.concat([Buffer.from(`${await sumOf(new Uint8Array(summed))}\n`), summed])
}

/** Reads such a file; undefined when it was truncated or changed. */
export async function readNarrationFile(file: Uint8Array<ArrayBuffer>): Promise<FinishedNarration | undefined> {
  try {
    const summed = file.slice(sumLength + 1)
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
    if (text(file.subarray(0, sumLength + 1)) !== `${await sumOf(summed)}\n`) return undefined
    const end = summed.indexOf(0x0a)
    return { mp3: summed.slice(end + 1), ...aboutSchema.parse(JSON.parse(text(summed.subarray(0, end)))) }
  } catch {
    return undefined
  }
}

/** Reads a file by its path; undefined when there is none. */
async function readIfThere(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await readFile(path))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Sizes of the files in the folder, the least recently used first. */
async function list(folder: string): Promise<Map<string, number>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending))
  const files = await Promise.all(
    names.map(async (name) => ({ name, ...(await stat(join(folder, name)).catch(() => ({ size: 0, mtimeMs: 0 }))) })),
  )
  return new Map(files.toSorted((a, b) => a.mtimeMs - b.mtimeMs).map(({ name, size }) => [name, size]))
}

const sumOfSizes = (sizes: ReadonlyMap<string, number>): number => sizes.values().reduce((sum, size) => sum + size, 0)

/**
 * Opens a cache in a folder of bounded size; the least recently used narrations are removed first. Each file begins
 * with a checksum, so that a damaged one is made again and never sold. Several processes may use one folder.
 *
 * @param maxBytes of the folder, which each process may exceed by an eighth for a while; a narration larger than this
 * is not kept
 */
export async function openFinishedNarrations(folder: string, maxBytes: number): Promise<FinishedNarrations> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let sizes = await list(folder)
  let total = sumOfSizes(sizes)
  /** Bytes that were written since the folder was listed. */
  let written = 0

  const forget = (name: string) => {
    total -= sizes.get(name) ?? 0
    sizes.delete(name)
  }
  const note = (name: string, size: number) => {
    forget(name)
    sizes.set(name, size)
    total += size
  }
  /** Counts what other processes have written, too. Not done each time, because the folder may hold many files. */
  async function lookAgain(): Promise<void> {
    written = 0
    sizes = await list(folder)
    total = sumOfSizes(sizes)
  }
  async function makeRoom(): Promise<void> {
    while (total > maxBytes) {
      const oldest = sizes.keys().next()
      if (oldest.done) return
      forget(oldest.value)
      await rm(join(folder, oldest.value), { force: true })
    }
  }

  return {
    async find(key) {
      const name = key + ending
      const path = join(folder, name)
      const file = await readIfThere(path)
      const kept = file && (await readNarrationFile(file))
      if (!kept) {
        forget(name)
        await rm(path, { force: true })
        return undefined
      }
      note(name, sizes.get(name) ?? kept.mp3.byteLength)
      const now = new Date()
      // Keeps the order of use across restarts. If it fails, the file is only removed earlier.
      await utimes(path, now, now).catch(() => {})
      return kept
    },
    async keep(key, narration) {
      const file = await toNarrationFile(narration)
      if (file.byteLength > maxBytes) return
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeAtomically(join(folder, key + ending), file, { mode: 0o600 })
      note(key + ending, file.byteLength)
      written += file.byteLength
      if (written > maxBytes / 8) await lookAgain()
      await makeRoom()
    },
  }
}
