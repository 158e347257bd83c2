import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTarget } from '../http/canonical-path.ts'
import { contentTypeOf, isCompressible } from '../http/static/content-type.ts'
import type { StaticEntry, StaticManifest } from '../http/static/static-manifest.ts'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import type { PackedForms } from './compress.ts'
import { placeFile } from './images/page-image.ts'
import { listFiles } from './list-files.ts'
import { openPacker, type Packer, toEtag } from './packed-forms.ts'
import { toPlaceholdersFile } from './page-places.ts'

/** The response headers of prerendered routes, by decoded path. */
export type RouteHeaders = ReadonlyMap<string, Headers>

/** Revalidated on every use: an unchanged page costs a 304. */
const revalidate = 'public, max-age=0, must-revalidate'
/** For names that contain a hash of their content. */
const forever = 'public, max-age=31536000, immutable'
const hasHash = (name: string): boolean =>
  name.startsWith('_astro/') ||
  name.startsWith('assets/') ||
  /^[\w-]+-[0-9a-f]{10}\.jpg$/.test(name) ||
  /^pagefind\/(?:\w+\/)?[\w.-]+_[0-9a-f]{7,}\.pf_\w+$/.test(name)

/** Response headers of a prerendered route that are served with its file, beside type and caching. */
const kept = [
  'content-disposition',
  'content-language',
  'last-modified',
  'link',
  'speculation-rules',
  'x-robots-tag',
] as const

/** A file whose bytes were known when it was written. */
export interface WrittenFile {
  readonly etag: string
  readonly size: number
}

type Written = ReadonlyMap<string, WrittenFile>

interface Options {
  /** The files with placeholders for narrations, below the build's `narrated` folder. */
  readonly withPlaceholders?: ReadonlySet<string>
  /** The names of the files that are taken unchanged from the earlier build. */
  readonly taken?: ReadonlySet<string>
  /** A build by the same code; for files that it has as well, the compressed forms are taken from it. */
  readonly earlier?: Pick<Build, 'folder' | 'manifest'> | undefined
  /** A packer that may already be compressing some of the files. */
  readonly packer?: Packer
}

/**
 * Lists files of the client folder as the front server will serve them, and writes their compressed forms beside them.
 *
 * @example
 * const index = openFileIndex(client, routeHeaders)
 * await index.add(listFiles(client))
 * const manifest = index.toManifest()
 */
export function openFileIndex(
  client: string,
  routeHeaders: RouteHeaders,
  { withPlaceholders = new Set(), taken = new Set(), earlier, packer = openPacker() }: Options = {},
) {
  const before = earlier && openEarlier(earlier)
  const files: Record<string, StaticEntry> = {}
  return {
    /**
     * Adds the files with these names.
     *
     * @param written the files of which the bytes are known, by name, so that they are not read
     * @throws Error when no URL leads to a file
     */
    async add(names: Iterable<string>, written: Written = new Map()): Promise<void> {
      const queue = Iterator.from(names)
      const worker = async () => {
        for (const name of queue) {
          const path = toPath(name)
          const known = written.get(name) ?? (taken.has(name) ? before?.ofName.get(name) : undefined)
          const entry = await indexFile(client, name, {
            asked: routeHeaders.get(path),
            earlier: before,
            packer,
            known,
          })
          const placeholders = toPlaceholdersFile(name)
          files[toUrl(path)] = withPlaceholders.has(placeholders) ? { ...entry, placeholders } : entry
        }
      }
      await Promise.all([worker(), worker(), worker(), worker()])
    },
    /** The files that were added so far, by address; without the headers by which they refer to each other. */
    files: files as StaticManifest,
    /** All files that were added. Call it once, after the last one. */
    toManifest: (): StaticManifest =>
      withAlternates(Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)))),
  }
}

/**
 * Lists every file of the client folder, and writes the compressed forms beside the files.
 *
 * @throws Error when no URL leads to a file
 */
export async function indexFiles(
  client: string,
  routeHeaders: RouteHeaders,
  options: Options = {},
): Promise<StaticManifest> {
  const index = openFileIndex(client, routeHeaders, options)
  await index.add(listFiles(client))
  return index.toManifest()
}

/** `posts/x/index.html` is the page `/posts/x`. Only the error pages are written as files, not as folders. */
const toPath = (name: string): string =>
  /^(?:404|500)\.html$/.test(name) ? `/${name.slice(0, 3)}` : `/${name}`.replace(/\/index\.html$/, '') || '/'

function toUrl(path: string): string {
  const url = encodeURI(path)
  const target = readTarget(url)
  if (target.is !== 'path' || target.path !== url) throw new Error(`no URL leads to the file ${path}; rename it`)
  return url
}

interface Known {
  readonly asked: Headers | undefined
  readonly earlier: Earlier | undefined
  readonly packer: Packer
  /** What is known of the file's bytes; undefined when it has to be read. */
  readonly known: WrittenFile | undefined
}

async function indexFile(client: string, name: string, { asked, earlier, packer, known }: Known): Promise<StaticEntry> {
  const file = join(client, name)
  // An equal name that contains a hash means equal content.
  const before = earlier?.ofName.get(name)
  const same = hasHash(name) ? before : undefined
  if (same && earlier?.takePacked(same, file)) return same
  const { etag, size, body } = known ? { ...known, body: undefined } : read(file)
  const pack = () => packer.pack(etag, () => body ?? readFileSync(file))
  const type = asked?.get('content-type') ?? contentTypeOf(name)
  const headers = kept.flatMap((header) => {
    const value = asked?.get(header)
    return value ? [[header, value]] : []
  })
  return {
    file: name,
    size,
    type: type === 'text/html' ? 'text/html; charset=utf-8' : type,
    etag,
    cache: hasHash(name) ? forever : (asked?.get('cache-control') ?? revalidate),
    ...(isCompressible(type) && (await writePacked({ file, etag, earlier, pack }))),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
  }
}

function read(file: string) {
  const body = readFileSync(file)
  return { etag: toEtag(body), size: body.length, body }
}

/** The sizes of the compressed forms of a file. */
type PackedSizes = Pick<StaticEntry, 'br' | 'gz'>

type Earlier = ReturnType<typeof openEarlier>

/** Looks up the files of an earlier build by name and by entity tag. */
function openEarlier({ folder, manifest }: Pick<Build, 'folder' | 'manifest'>) {
  const { client } = buildFiles(folder)
  const entries = Object.values(manifest)
  return {
    ofName: new Map(entries.map((entry) => [entry.file, entry])),
    // Entries without a compressed form are left out: their type may be one that is not compressed.
    ofEtag: new Map(entries.flatMap((entry) => (entry.br === undefined ? [] : [[entry.etag, entry]]))),
    /**
     * Takes over the compressed forms of a file of that build; false when they are missing, so that build is damaged.
     */
    takePacked({ file, br, gz }: StaticEntry, to: string): boolean {
      const suffixes = [...(br === undefined ? [] : ['.br']), ...(gz === undefined ? [] : ['.gz'])]
      const places = suffixes.map((suffix) => ({ from: join(client, file + suffix), to: to + suffix }))
      try {
        for (const place of places) placeFile(place.from, place.to)
        return true
      } catch {
        // Removed rather than overwritten, because a placed file may be a hard link into that build.
        for (const place of places) rmSync(place.to, { force: true })
        return false
      }
    },
  }
}

interface Unpacked extends Pick<Known, 'earlier'> {
  readonly file: string
  readonly etag: string
  readonly pack: () => Promise<PackedForms>
}

/** Writes the compressed forms beside a file, or takes them from the earlier build. */
async function writePacked({ file, etag, earlier, pack }: Unpacked): Promise<PackedSizes> {
  const same = earlier?.ofEtag.get(etag)
  if (same && earlier?.takePacked(same, file)) {
    const { br, gz } = same
    return { ...(br !== undefined && { br }), ...(gz !== undefined && { gz }) }
  }
  const { br, gz } = await pack()
  if (br) writeFileSync(`${file}.br`, br)
  if (gz) writeFileSync(`${file}.gz`, gz)
  return { ...(br && { br: br.length }), ...(gz && { gz: gz.length }) }
}

/** Makes a page and its markdown alternate refer to each other in `Link` headers. */
function withAlternates(manifest: Record<string, StaticEntry>): StaticManifest {
  for (const [url, entry] of Object.entries(manifest)) {
    const alternate = url === '/' ? '/index.md' : `${url}.md`
    const alternateEntry = manifest[alternate]
    if (!alternateEntry || !entry.type.startsWith('text/html')) continue
    entry.alternate = alternate
    const own = entry.headers?.['link'] ?? ''
    const link = `<${alternate}>; rel="alternate"; type="text/markdown"`
    // The front page names its alternate itself.
    const links = own.includes(`<${alternate}>`) ? [own] : [link, ...(own === '' ? [] : [own])]
    entry.headers = { ...entry.headers, link: links.join(', ') }
    alternateEntry.headers = { link: `<${url}>; rel="canonical"`, ...alternateEntry.headers }
  }
  return manifest
}
