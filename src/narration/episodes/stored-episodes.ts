import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { sha256 } from '../../core/sha256.ts'
import type { ObjectStore } from '../../storage/objects/object-store.ts'
import { hasCode } from '../../storage/write-atomically.ts'
import { limitConcurrency } from '../../workers/limit-concurrency.ts'
import { type Episode, episodeSchema, type NarratedPost } from './episode.ts'
import { makeEpisodeShelf } from './episode-shelf.ts'
import { type EpisodeStore, readEpisode } from './episode-store.ts'

const start = 'audio/'
const indexKey = `${start}index.json`
/** Poll interval: how soon a narration of another machine is noticed. Each poll is one request. */
const lookEveryMs = 10_000
/** How long `publish` waits for a storage that does not respond. What the storage has is shown later. */
const publishMs = 3000
/** A file this young may be about to be entered in the index. */
const graceMs = 60 * 60 * 1000
const mostTries = 8
const fetchesAtOnce = 8

/** What the index says of each narration. */
const entrySchema = episodeSchema.unwrap().pick({ storageKey: true, slug: true, sizeBytes: true, createdAt: true })
type Entry = z.output<typeof entrySchema>
const indexSchema = z.object({ episodes: z.array(entrySchema) })

interface Options {
  readonly objects: ObjectStore
  /**
   * Absolute path of the folder that held narrations before the storage was configured. `removeLeftovers` moves them.
   */
  readonly folder: string
}

/** A storage key that is safe as an object name is used as it is; others are replaced by their digest. */
const nameOf = (storageKey: string): string =>
  start + (/^[\w-][\w.-]*$/.test(storageKey) ? storageKey : sha256(storageKey))
const soundKeyOf = (storageKey: string): string => `${nameOf(storageKey)}.mp3`
const aboutKeyOf = (storageKey: string): string => `${nameOf(storageKey)}.json`

/**
 * Opens the narrations in an object storage that machines share: `<storageKey>.mp3`, `<storageKey>.json` with the
 * episode, and one index, which is written last and names those that exist. Requests use the index in memory and wait
 * for the storage only for the audio itself.
 *
 * @param first the published posts, as for `openEpisodeStore`
 */
export function openStoredEpisodes({ objects, folder }: Options, first: readonly NarratedPost[]): EpisodeStore {
  const shelf = makeEpisodeShelf(first)
  const fetching = limitConcurrency(fetchesAtOnce)
  let index: ReadonlyMap<string, Entry> = new Map()
  let etag: string | undefined

  const readIndex = (bytes: Uint8Array): Map<string, Entry> => {
    const { episodes } = indexSchema.parse(JSON.parse(Buffer.from(bytes).toString()))
    return new Map(episodes.map((entry) => [entry.storageKey, entry]))
  }

  /** For each post the narration of its present text, or else the newest one. */
  function choose(): Entry[] {
    const newest = new Map<string, Entry>()
    for (const entry of index.values())
      if (entry.createdAt > (newest.get(entry.slug)?.createdAt ?? '')) newest.set(entry.slug, entry)
    return shelf.posts().flatMap(({ slug, storageKey }) => index.get(storageKey) ?? newest.get(slug) ?? [])
  }

  async function fetchEpisode(storageKey: string): Promise<Episode | undefined> {
    const bytes = await objects.get(aboutKeyOf(storageKey), { isExpected: true })
    return bytes && episodeSchema.parse(JSON.parse(Buffer.from(bytes).toString()))
  }

  /** Shows the narrations that the index names. Episodes that cannot be read now are tried again at the next poll. */
  async function arrange(): Promise<void> {
    const known = shelf.episodes()
    const wanted = choose()
    const found = await Promise.allSettled(
      wanted.map(({ storageKey }) => fetching(async () => known.get(storageKey) ?? (await fetchEpisode(storageKey)))),
    )
    const episodes = found.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []))
    if (episodes.length < wanted.length) etag = undefined
    const isSame = episodes.length === known.size && episodes.every(({ storageKey }) => known.has(storageKey))
    if (!isSame) shelf.show(new Map(episodes.map((episode) => [episode.storageKey, episode])))
  }

  async function look(): Promise<void> {
    const found = await objects.getChanged(indexKey, etag)
    if (found === 'unchanged') return
    index = found ? readIndex(found.bytes) : new Map()
    etag = found?.etag
    await arrange()
  }

  // Looks run one after another: an earlier response must not replace a later one.
  let looking = Promise.resolve()
  function inTurn(work: () => Promise<void>): Promise<void> {
    looking = looking.catch(() => {}).then(work)
    return looking
  }
  const refresh = (): Promise<void> => inTurn(look)
  // While the storage does not respond, the narrations found so far stay available.
  const timer = setInterval(() => void refresh().catch(() => {}), lookEveryMs).unref()

  /** Applies a change to the index. The write is conditional and retried, because other machines may write it, too. */
  async function rewrite(change: (entries: Map<string, Entry>) => void): Promise<void> {
    for (let tries = 0; tries < mostTries; tries++) {
      const found = await objects.getChanged(indexKey, undefined)
      const before = found && found !== 'unchanged' ? found : undefined
      const entries = before ? readIndex(before.bytes) : new Map<string, Entry>()
      change(entries)
      const next = Buffer.from(JSON.stringify({ episodes: [...entries.values()] }))
      if (before && next.equals(before.bytes)) return
      if (await objects.put(indexKey, next, before ? { etag: before.etag } : 'new')) return
    }
    throw new Error('the index of the narrations is written by others all the time')
  }

  const add = (...episodes: readonly Episode[]): Promise<void> =>
    rewrite((entries) => {
      for (const { storageKey, slug, sizeBytes, createdAt } of episodes)
        entries.set(storageKey, { storageKey, slug, sizeBytes, createdAt })
    })

  async function upload(episode: Episode, mp3: Uint8Array): Promise<void> {
    await objects.put(soundKeyOf(episode.storageKey), mp3)
    await objects.put(aboutKeyOf(episode.storageKey), Buffer.from(JSON.stringify(episode)))
  }

  /** Moves the narrations of the former folder into the storage. */
  async function moveFolder(): Promise<void> {
    for (const name of await namesIn(folder)) {
      const episode = name.endsWith('.json') ? await readEpisode(folder, name.slice(0, -'.json'.length)) : undefined
      if (!episode) continue
      const path = join(folder, `${episode.storageKey}.mp3`)
      await upload(episode, await readFile(path))
      await add(episode)
      // The JSON is removed first: an MP3 without it is ignored.
      await rm(join(folder, name), { force: true })
      await rm(path, { force: true })
    }
  }

  /** Adds complete narrations that are missing in the index, and removes files that will never be complete. */
  async function mend(): Promise<void> {
    const listed = new Map((await Array.fromAsync(objects.list(start))).map((each) => [each.key, each]))
    const named = new Set([...index.keys()].flatMap((key) => [soundKeyOf(key), aboutKeyOf(key)]))
    for (const each of listed.values()) {
      if (each.key === indexKey || named.has(each.key)) continue
      const about = each.key.endsWith('.json') ? await objects.get(each.key) : undefined
      const episode = about && readAbout(about)
      const sound = episode && listed.get(soundKeyOf(episode.storageKey))
      if (episode && sound?.bytes === episode.sizeBytes) {
        await add(episode)
        named.add(sound.key)
      }
    }
    await refresh()
    const kept = new Set([...index.keys()].flatMap((key) => [soundKeyOf(key), aboutKeyOf(key)]))
    for (const each of listed.values())
      if (each.key !== indexKey && !kept.has(each.key) && Date.now() - each.changedAt > graceMs)
        await objects.removeUntouched(each)
  }

  return {
    find: shelf.find,
    findFile(storageKey) {
      const entry = index.get(storageKey)
      if (!entry || !shelf.isPublished(entry.slug)) return undefined
      const open = (range: { start: number; end: number }) => objects.open(soundKeyOf(storageKey), range)
      return { path: '', sizeBytes: entry.sizeBytes, open }
    },
    all: shelf.all,
    version: shelf.version,
    async keep(episode, mp3) {
      await upload(episode, mp3)
      await add(episode)
      await refresh()
    },
    async publish(next) {
      shelf.publish(next)
      shelf.arrange()
      const shown = inTurn(async () => {
        // When the look fails, the index in memory may still suffice.
        await look().catch(() => {})
        await arrange()
      })
      await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, publishMs).unref())])
    },
    refresh,
    async removeLeftovers() {
      await moveFolder()
      await refresh()
      await mend()
    },
    async removeReplaced(before) {
      const replaced = [...index.values()].filter((entry) => shelf.isReplaced(entry, before))
      if (replaced.length === 0) return
      await rewrite((entries) => {
        for (const { storageKey } of replaced) entries.delete(storageKey)
      })
      // If the process is killed in between, `removeLeftovers` removes the remaining files.
      for (const { storageKey } of replaced)
        for (const key of [aboutKeyOf(storageKey), soundKeyOf(storageKey)]) await objects.remove(key)
      await refresh()
    },
    close: () => clearInterval(timer),
  }
}

function readAbout(bytes: Uint8Array): Episode | undefined {
  try {
    return episodeSchema.parse(JSON.parse(Buffer.from(bytes).toString()))
  } catch {
    return undefined
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}
