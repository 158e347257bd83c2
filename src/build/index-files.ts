import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { readTarget } from '../server/canonical-path.ts'
import type { StaticEntry, StaticManifest } from '../server/static-manifest.ts'
import { compress } from './compress.ts'
import { contentTypeOf, isCompressible } from './content-type.ts'

/** The headers that prerendered routes gave their responses, by decoded path. */
export type RouteHeaders = ReadonlyMap<string, Headers>

/** Revalidated on every use: an unchanged page costs a 304. */
const revalidate = 'public, max-age=0, must-revalidate'
/** For names that carry the hash of their content. */
const forever = 'public, max-age=31536000, immutable'
const hasHash = (name: string): boolean =>
  name.startsWith('_astro/') ||
  name.startsWith('assets/') ||
  /^[\w-]+-[0-9a-f]{10}\.jpg$/.test(name) ||
  /^pagefind\/(?:\w+\/)?[\w.-]+_[0-9a-f]{7,}\.pf_\w+$/.test(name)

/** Headers of a prerendered route that go out with its file, beside type and caching. */
const kept = ['content-disposition', 'content-language', 'last-modified', 'link', 'x-robots-tag'] as const

/**
 * Lists every file of the client folder as the front server will answer it, and writes the compressed forms
 * beside the files. `slotted` are the names of the files that have slots for narrations.
 *
 * @throws Error when a file's URL could never be requested
 */
export async function indexFiles(
  client: string,
  routeHeaders: RouteHeaders,
  slotted: ReadonlySet<string> = new Set(),
): Promise<StaticManifest> {
  const manifest: Record<string, StaticEntry> = {}
  const names = (await readdir(client, { recursive: true, withFileTypes: true }))
    .filter((item) => item.isFile())
    .map((item) => relative(client, join(item.parentPath, item.name)).split(sep).join('/'))
    .sort()
  const queue = names.values()
  const worker = async () => {
    for (const name of queue) {
      const path = toPath(name)
      const entry = await indexFile(client, name, routeHeaders.get(path))
      manifest[toUrl(path)] = slotted.has(name) ? { ...entry, slots: name } : entry
    }
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  return withTwins(Object.fromEntries(Object.entries(manifest).sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** `posts/x/index.html` is the page `/posts/x`; the pages of failures are the only ones that are no folders. */
const toPath = (name: string): string =>
  /^(?:404|500)\.html$/.test(name) ? `/${name.slice(0, 3)}` : `/${name}`.replace(/\/index\.html$/, '') || '/'

function toUrl(path: string): string {
  const url = encodeURI(path)
  const target = readTarget(url)
  if (target.is !== 'path' || target.path !== url) throw new Error(`no request can name the file ${path}; rename it`)
  return url
}

async function indexFile(client: string, name: string, asked: Headers | undefined): Promise<StaticEntry> {
  const file = join(client, name)
  const body = await readFile(file)
  const type = asked?.get('content-type') ?? contentTypeOf(name)
  const packed = isCompressible(type) ? await compress(body) : {}
  for (const [suffix, bytes] of Object.entries(packed)) await writeFile(`${file}.${suffix}`, bytes)
  const headers = kept.flatMap((header) => {
    const value = asked?.get(header)
    return value ? [[header, value]] : []
  })
  return {
    file: name,
    size: body.length,
    type: type === 'text/html' ? 'text/html; charset=utf-8' : type,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    cache: hasHash(name) ? forever : (asked?.get('cache-control') ?? revalidate),
    ...(packed.br && { br: packed.br.length }),
    ...(packed.gz && { gz: packed.gz.length }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
  }
}

/** A page and its markdown twin name each other. */
function withTwins(manifest: Record<string, StaticEntry>): StaticManifest {
  for (const [url, entry] of Object.entries(manifest)) {
    const twin = url === '/' ? '/index.md' : `${url}.md`
    const twinEntry = manifest[twin]
    if (!twinEntry || !entry.type.startsWith('text/html')) continue
    entry.twin = twin
    entry.headers = { link: `<${twin}>; rel="alternate"; type="text/markdown"`, ...entry.headers }
    twinEntry.headers = { link: `<${url}>; rel="canonical"`, ...twinEntry.headers }
  }
  return manifest
}
