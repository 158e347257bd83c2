import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { ContentEncoding } from '../http/content-encoding.ts'
import type { SecurityHeaders } from '../http/security-headers.ts'
import { type StaticFile, toStaticFile } from '../http/static/static-file.ts'
import type { ReplaceFile } from '../http/static/static-files.ts'
import type { StaticEntry } from '../http/static/static-manifest.ts'
import { fillMentions, mentionsMark } from '../mentions/mention-marks.ts'
import type { ShownMentions } from '../mentions/open-shown-mentions.ts'
import type { Episodes } from '../narration/episodes/episode.ts'
import { toNarrationTexts } from '../narration/placeholders/narration-texts.ts'
import { fillPlaceholders, slugsOf } from '../narration/placeholders/placeholders.ts'

interface Options {
  /** The build's folder of pages with placeholders. */
  readonly folder: string
  readonly episodes: Episodes
  /** Mentions of posts by other sites; absent where there are none. */
  readonly mentions?: ShownMentions | undefined
  readonly baseUrl: string
  readonly security: SecurityHeaders
  /** The largest total size of the cached pages in all encodings, in bytes. The most recently requested are kept. */
  readonly mostBytes?: number
}

interface Made {
  /** The version of narrations and mentions when the page was last checked. */
  version: string
  /** The narrations and mentions that the page shows. */
  shows: string
  file: StaticFile
  /** The size of its cached encodings, in bytes. */
  size: number
}

/**
 * Room for nearly a thousand pages. A cache matters because filling a page takes some milliseconds and requests for
 * files are not limited.
 */
const usualBytes = 32 * 1024 * 1024
/** The memory of a page in addition to its content, in bytes. */
const ownBytes = 2048

/**
 * Fills pages with narrations and mentions when they are requested. A page is made again only after a change of what it
 * shows, or after it was evicted from the cache. Between two changes a request costs one comparison.
 */
export function makeNarratedPages({
  folder,
  episodes,
  mentions,
  baseUrl,
  security,
  mostBytes = usualBytes,
}: Options): ReplaceFile {
  /** The cached pages, least recently requested first. */
  const pages = new Map<string, Made>()
  /** The page requested last, which is the last one in `pages` as it is. */
  let newest: string | undefined
  let bytes = 0

  function forget(url: string): void {
    bytes -= pages.get(url)?.size ?? 0
    pages.delete(url)
  }

  function keep(url: string, made: Made): void {
    if (url === newest && pages.get(url) === made) return
    forget(url)
    pages.set(url, made)
    newest = url
    bytes += made.size
    for (const oldest of pages.keys()) {
      if (bytes <= mostBytes) return
      forget(oldest)
    }
  }

  const versionNow = (): string => `${episodes.version()} ${mentions?.version()}`

  function make(url: string, entry: StaticEntry, name: string, built: StaticFile, before: Made | undefined): Made {
    const version = versionNow()
    const html = readFileSync(join(folder, name), 'utf8')
    const found = new Map(slugsOf(html).map((slug) => [slug, episodes.find(slug)]))
    const said = html.includes(mentionsMark) ? (mentions?.find(url) ?? []) : []
    const told = said.length === 0 ? '' : JSON.stringify(said)
    const shows = [...found.values()].map((episode) => episode?.storageKey ?? '').join(' ') + told
    if (before?.shows === shows) return { ...before, version }
    if (shows.trim() === '') return { version, shows, file: built, size: ownBytes }
    const narrated = fillPlaceholders(html, (slug) => {
      const episode = found.get(slug)
      return episode && toNarrationTexts(episode, baseUrl)
    })
    const page = fillMentions(narrated, said)
    const filled = { ...entry, etag: `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"` }
    const file = toStaticFile(filled, toBytes(page), security, {}, built.alternates)
    return { version, shows, file, size: file.forms.values().reduce((sum, form) => sum + form.size, ownBytes) }
  }

  return (url, entry, built) => {
    if (entry.placeholders === undefined) return built
    const before = pages.get(url)
    const made = before?.version === versionNow() ? before : make(url, entry, entry.placeholders, built, before)
    keep(url, made)
    return made.file
  }
}

/** Compresses a page like the build, but at lower levels, because a request waits for it. */
function toBytes(page: string): Map<ContentEncoding, { path: string; size: number; body: () => Buffer }> {
  const body = Buffer.from(page)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  }
  const forms: [ContentEncoding, Buffer][] = [
    ['identity', body],
    ['br', brotliCompressSync(body, { params })],
    ['gzip', gzipSync(body, { level: 6 })],
  ]
  return new Map(forms.map(([encoding, each]) => [encoding, { path: '', size: each.length, body: () => each }]))
}
