import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ContentEncoding } from '../content-encoding.ts'
import { type SecurityHeaders, surfaceOf } from '../security-headers.ts'
import { isCompressible } from './content-type.ts'
import type { ReadKept } from './keep-files.ts'
import type { StaticEntry } from './static-manifest.ts'

/**
 * Opens bytes of a file on another machine, from `start` to `end`, inclusive. It settles before the first byte is sent.
 */
export type OpenBytes = (range: { readonly start: number; readonly end: number }) => Promise<Readable>

/** One encoding of a file, with all headers of a plain 200 computed beforehand. */
export interface StaticForm {
  readonly path: string
  readonly size: number
  /** Present for small files, which are sent from memory; larger ones are streamed. */
  readonly body: (() => Buffer | undefined) | undefined
  /** Present where `path` is not a file of this machine. */
  readonly open?: OpenBytes | undefined
  readonly etag: string
  readonly headers: Readonly<Record<string, string | number>>
}

/** A file that can be served, in all available encodings. */
export interface StaticFile {
  readonly isPage: boolean
  readonly identity: StaticForm
  readonly forms: ReadonlyMap<ContentEncoding, StaticForm>
  readonly encodings: ReadonlySet<ContentEncoding>
  readonly alternates: Alternates | undefined
}

/** The markdown of a page, which the address of the page returns to clients that ask for one of these types. */
export type Alternates = Readonly<Record<'text/markdown' | 'text/plain', StaticFile>>

/**
 * Larger files are read from disk for each request. The limit for pictures is lower, because texts are requested most
 * and pictures are most of the bytes.
 */
const maxBytesInMemory = 256 * 1024
const maxPictureBytesInMemory = 8 * 1024

/** The bytes of a file in one encoding: in memory, or the path where they are. */
type Bytes = Pick<StaticForm, 'path' | 'size' | 'body'>

/**
 * A file of the manifest. `extra` are headers that depend on the address at which it is served.
 *
 * @throws Error when its size on disk is not that of the build
 */
export function findStaticFile(
  { client, kept }: { readonly client: string; readonly kept: ReadKept },
  entry: StaticEntry,
  security: SecurityHeaders,
  extra: Readonly<Record<string, string>> = {},
  alternates?: Alternates,
): StaticFile {
  const most = isCompressible(entry.type) ? maxBytesInMemory : maxPictureBytesInMemory
  const find = (suffix: string, size: number): Bytes => {
    const path = join(client, entry.file) + suffix
    if (statSync(path).size !== size) throw new Error(`${path} is not as it was built: it should have ${size} bytes`)
    return { path, size, body: size <= most ? () => kept(path) : undefined }
  }
  const bytes = new Map<ContentEncoding, Bytes>([['identity', find('', entry.size)]])
  if (entry.br !== undefined) bytes.set('br', find('.br', entry.br))
  if (entry.gz !== undefined) bytes.set('gzip', find('.gz', entry.gz))
  return toStaticFile(entry, bytes, security, extra, alternates)
}

/** The same file with other bytes, which are made while the site runs. */
export function toStaticFile(
  entry: Pick<StaticEntry, 'type' | 'cache' | 'headers' | 'etag'>,
  bytes: ReadonlyMap<ContentEncoding, Bytes>,
  security: SecurityHeaders,
  extra: Readonly<Record<string, string>> = {},
  alternates?: Alternates,
): StaticFile {
  const common = {
    ...security(surfaceOf(200, entry.type)),
    'content-type': entry.type,
    'cache-control': entry.cache,
    ...entry.headers,
    ...extra,
  }
  const varying = [alternates || extra['content-location'] ? 'Accept' : '', bytes.size > 1 ? 'Accept-Encoding' : '']
  const vary = varying.filter(Boolean).join(', ')
  const toForm = (encoding: ContentEncoding, { path, size, body }: Bytes): StaticForm => {
    const etag = encoding === 'identity' ? entry.etag : `${entry.etag.slice(0, -1)}-${encoding}"`
    return {
      path,
      size,
      etag,
      body,
      headers: Object.freeze({
        ...common,
        ...(vary && { vary }),
        ...(encoding === 'identity' ? { 'accept-ranges': 'bytes' } : { 'content-encoding': encoding }),
        etag,
        'content-length': size,
      }),
    }
  }
  const forms = new Map([...bytes].map(([encoding, each]) => [encoding, toForm(encoding, each)]))
  const identity = forms.get('identity')
  if (!identity) throw new Error('a file without its plain form cannot be served')
  return { isPage: entry.type.startsWith('text/html'), identity, forms, encodings: new Set(forms.keys()), alternates }
}
