import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, writeAtomically } from '../../storage/write-atomically.ts'
import { type Episode, type Episodes, episodeSchema, type NarratedPost } from './episode.ts'
import { makeEpisodeShelf } from './episode-shelf.ts'

export interface EpisodeStore extends Episodes {
  /** Makes a finished narration one that can be heard, durably. */
  keep(episode: Episode, mp3: Uint8Array): Promise<void>
  /** From now on these posts are published, newest first, and no others. */
  publish(posts: readonly NarratedPost[]): Promise<void>
  /** Looks now at what is there. */
  refresh(): Promise<void>
  /** Mends and removes what a killed process left half written. Only for who is alone in making narrations. */
  removeLeftovers(): Promise<void>
  /** Removes narrations of earlier texts of posts whose present text was narrated before that. Only for who is alone, too. */
  removeReplaced(before: number): Promise<void>
  close(): void
}

/** How soon a narration that another process made is noticed. */
const lookEveryMs = 2000
/** Clocks of file systems are coarse: a change this soon after another may leave the time as it was. */
const coarseMs = 1000

/** An episode whose two files are whole and agree; anything else is not there yet. */
export async function readEpisode(folder: string, storageKey: string): Promise<Episode | undefined> {
  try {
    const episode = episodeSchema.parse(JSON.parse(await readFile(join(folder, `${storageKey}.json`), 'utf8')))
    const { size } = await stat(join(folder, `${storageKey}.mp3`))
    return episode.storageKey === storageKey && episode.sizeBytes === size ? episode : undefined
  } catch {
    return undefined
  }
}

/** What is in the folder; nothing when somebody has removed it. */
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
 * The narrations in a folder, two files each: `<storageKey>.mp3`, and `<storageKey>.json`, the episode, which is
 * written last and says that both are whole. What other processes put there is noticed within seconds.
 *
 * @param first the published posts, newest first; nothing else is found, so that a post that is withdrawn cannot be
 * heard any more
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
    // What could not be read is tried again.
    seenAt = isWhole && Date.now() - mtimeMs > coarseMs ? mtimeMs : undefined
  }

  // One look at a time: an earlier listing must not replace a later one.
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
  // While the folder cannot be read, what was found stays.
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
        // What is left of a killed process is a leftover.
        await rm(join(folder, `${storageKey}.json`), { force: true })
        await rm(pathOf(storageKey), { force: true })
      }
      await refresh()
    },
    close: () => clearInterval(timer),
  }
}
