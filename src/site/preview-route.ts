import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../core/problem.ts'
import { toNodeHandle } from '../http/node-handle.ts'
import type { NodeHandle, Route } from '../http/route.ts'
import { isPreviewKey } from '../storage/preview-link.ts'

interface Options {
  /** The folder of the build with one page for each unpublished post. */
  readonly folder: string
  readonly secret: string
}

/** Shows an unpublished post to those who have its preview link; for all others it is 404. */
export function makePreviewRoute({ folder, secret }: Options): Route<NodeHandle> {
  const slugs = new Set(existsSync(folder) ? readdirSync(folder) : [])
  return {
    path: '/previews/:slug',
    handlers: {
      GET: toNodeHandle(async ({ url }, slug) => {
        const key = new URL(url).searchParams.get('key') ?? ''
        if (!slugs.has(slug) || !isPreviewKey(secret, slug, key)) throw new Problem('not-found')
        return new Response(await readFile(join(folder, slug, 'index.html')), {
          headers: {
            'content-type': 'text/html; charset=utf-8',
            'cache-control': 'private, no-store',
            'x-robots-tag': 'noindex, nofollow',
          },
        })
      }),
    },
  }
}
