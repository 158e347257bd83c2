import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, writeAtomically } from '../../storage/write-atomically.ts'
import { type Episode, type Episodes, episodeSchema, type NarratedPost } from './episode.ts'
import { makeEpisodeShelf } from './episode-shelf.ts'

export interface EpisodeStore extends Episodes {
  /** Stores a finished narration durably; it can be heard from then on. */
  keep(episode: Episode, mp3: Uint8Array): Promise<void>
  /** Sets the published posts, newest first. Narrations of other posts are no longer found. */
  publish(posts: readonly NarratedPost[]): Promise<void>
  /** Reads now what is stored, without waiting for the next poll. */
  refresh(): Promise<void>
  /** Repairs or removes what a killed process left half written. Only for the process that alone makes narrations. */
  removeLeftovers(): Promise<void>
  /**
   * Removes narrations of earlier texts of posts whose present text was narrated before `before` (ms since 1970). Only
   * for the process that alone makes narrations.
   */
  removeReplaced(before: number): Promise<void>
  close(): void
}

/** Poll interval: how soon a narration of another process is noticed. */
const lookEveryMs = 2000
/** File systems have coarse clocks: a change this soon after another may not change the modification time. */
const coarseMs = 1000

/** Reads an episode whose two files are complete and agree; undefined otherwise. */
export async function readEpisode(folder: string, storageKey: string): Promise<Episode | undefined> {
  try {
    const episode = episodeSchema.parse(JSON.parse(await readFile(join(folder, `${storageKey}.json`), 'utf8')))
    const { size } = await stat(join(folder, `${storageKey}.mp3`))
    return episode.storageKey === storageKey && episode.sizeBytes === size ? episode : undefined
  } catch {
    return undefined
  }
}

/** The names in a folder and its modification time; empty when the folder does not exist. */
async function list(folder: string): Promise<{ mtimeMs: number; names: ReadonlySet<string> }> {
  try {
    const { mtimeMs } = await stat(folder)
    return { mtimeMs, names: new Set(await readdir(folder)) }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { mtimeMs: 0, names: new Set() }
    throw error
  }
}

/**
 * Opens the narrations in a folder. Each has two files: `<storageKey>.mp3`, and `<storageKey>.json` with the episode,
 * which is written last and proves that both are complete. Narrations of other processes are noticed within seconds.
 *
 * @param first the published posts, newest first; narrations of other posts are not found, so that a withdrawn post
 * cannot be heard any more
 * @example const store = await openEpisodeStore('.data/audio', [{ slug: 'a-post', storageKey: 'a-post-0123456789abcdef' }])
 */
export async function openEpisodeStore(folder: string, first: readonly NarratedPost[]): Promise<EpisodeStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const shelf = makeEpisodeShelf(first)
  let seenAt: number | undefined
  const pathOf = (storageKey: string) => join(folder, `${storageKey}.mp3`)

  async function look(): Promise<void> {
    const { mtimeMs, names } = await list(folder)
    const episodes = shelf.episodes()
    const next = new Map<string, Episode>()
    let isSame = true
    let isWhole = true
    for (const name of names) {
      const storageKey = name.endsWith('.json') && !name.startsWith('.') ? name.slice(0, -'.json'.length) : ''
      if (storageKey === '' || !names.has(`${storageKey}.mp3`)) continue
      // The files of a key never change, so that each is read once.
      const known = episodes.get(storageKey)
      const episode = known ?? (await readEpisode(folder, storageKey))
      isWhole &&= episode !== undefined
      if (!episode || !shelf.isPublished(episode.slug)) continue
      next.set(storageKey, episode)
      isSame &&= known !== undefined
    }
    if (!isSame || next.size !== episodes.size) shelf.show(next)
    // Without a remembered time, the next poll reads again what could not be read now.
    seenAt = isWhole && Date.now() - mtimeMs > coarseMs ? mtimeMs : undefined
  }

  // Looks run one after another: an earlier listing must not replace a later one.
  let looking = Promise.resolve()
  const refresh = (): Promise<void> => {
    looking = looking.catch(() => {}).then(look)
    return looking
  }
  await refresh()
  const lookIfChanged = async () => {
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: undefined }))
    if (mtimeMs === undefined || mtimeMs !== seenAt) await refresh()
  }
  // While the folder cannot be read, the narrations found so far stay available.
  const timer = setInterval(() => void lookIfChanged().catch(() => {}), lookEveryMs).unref()

  return {
    find: shelf.find,
    findFile(storageKey) {
      const episode = shelf.episodes().get(storageKey)
      return episode && { path: pathOf(storageKey), sizeBytes: episode.sizeBytes }
    },
    all: shelf.all,
    version: shelf.version,
    async keep(episode, mp3) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeAtomically(pathOf(episode.storageKey), mp3, { mode: 0o600 })
      await writeAtomically(join(folder, `${episode.storageKey}.json`), JSON.stringify(episode), { mode: 0o600 })
      await refresh()
    },
    async publish(next) {
      shelf.publish(next)
      await refresh()
      shelf.arrange()
    },
    refresh,
    async removeLeftovers() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())
      const names = new Set(files.map(({ name }) => name))
      for (const name of names) {
        const isHalf = name.startsWith('.') && name.endsWith('.part')
        const isAlone = name.endsWith('.mp3') && !names.has(`${name.slice(0, -'.mp3'.length)}.json`)
        if (isHalf || isAlone) await rm(join(folder, name), { force: true })
      }
    },
    async removeReplaced(before) {
      for (const episode of shelf.episodes().values()) {
        if (!shelf.isReplaced(episode, before)) continue
        const { storageKey } = episode
        // The JSON is removed first: if the process is killed in between, `removeLeftovers` removes the MP3.
        await rm(join(folder, `${storageKey}.json`), { force: true })
        await rm(pathOf(storageKey), { force: true })
      }
      await refresh()
    },
    close: () => clearInterval(timer),
  }
}
