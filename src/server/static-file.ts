import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContentEncoding } from './content-encoding.ts'
import type { SecurityHeaders } from './security-headers.ts'
import { surfaceOf } from './security-headers.ts'
import type { StaticEntry } from './static-manifest.ts'

/** One encoded form of a file, with every header of a plain 200 made beforehand. */
export interface StaticForm {
  readonly path: string
  readonly size: number
  /** Present for small files; larger ones are streamed. */
  readonly body: Buffer | undefined
  readonly etag: string
  readonly headers: Readonly<Record<string, string | number>>
}

/** A file that can be served, in the forms that exist. */
export interface StaticFile {
  readonly isPage: boolean
  readonly identity: StaticForm
  readonly forms: ReadonlyMap<ContentEncoding, StaticForm>
  readonly encodings: ReadonlySet<ContentEncoding>
  readonly twins: StaticTwins | undefined
}

/** A page's markdown twin as the page's own address answers it, by the type that was asked for. */
export type StaticTwins = Readonly<Record<'markdown' | 'plain', StaticFile>>

/** Above this a file is read from disk for each request. */
const maxBytesInMemory = 256 * 1024

/** Loads a file of the manifest. `extra` are headers that depend on the address it is answered at. */
export function loadStaticFile(
  client: string,
  entry: StaticEntry,
  security: SecurityHeaders,
  extra: Readonly<Record<string, string>> = {},
  twins?: StaticTwins,
): StaticFile {
  const common = {
    ...security(surfaceOf(200, entry.type)),
    'content-type': entry.type,
    'cache-control': entry.cache,
    ...entry.headers,
    ...extra,
  }
  const varying = [twins || extra['content-location'] ? 'Accept' : '', entry.br || entry.gz ? 'Accept-Encoding' : '']
  const vary = varying.filter(Boolean).join(', ')
  const load = (encoding: ContentEncoding, suffix: string, size: number): StaticForm => {
    const path = join(client, entry.file) + suffix
    const etag = encoding === 'identity' ? entry.etag : `${entry.etag.slice(0, -1)}-${encoding}"`
    return {
      path,
      size,
      etag,
      body: size <= maxBytesInMemory ? readFileSync(path) : undefined,
      headers: Object.freeze({
        ...common,
        ...(vary && { vary }),
        ...(encoding === 'identity' ? { 'accept-ranges': 'bytes' } : { 'content-encoding': encoding }),
        etag,
        'content-length': size,
      }),
    }
  }
  const identity = load('identity', '', entry.size)
  const forms = new Map<ContentEncoding, StaticForm>([['identity', identity]])
  if (entry.br !== undefined) forms.set('br', load('br', '.br', entry.br))
  if (entry.gz !== undefined) forms.set('gzip', load('gzip', '.gz', entry.gz))
  return { isPage: entry.type.startsWith('text/html'), identity, forms, encodings: new Set(forms.keys()), twins }
}
