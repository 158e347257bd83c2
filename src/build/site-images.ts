import { createReadStream } from 'node:fs'
import type { AstroIntegration } from 'astro'
import { contentTypeOf } from './content-type.ts'
import { findImageFile } from './covers.ts'

type VitePlugin = NonNullable<
  Parameters<NonNullable<AstroIntegration['hooks']['astro:config:setup']>>[0]['config']['vite']['plugins']
>[number]

/**
 * `virtual:site-images` for pages: the module `covers.ts` itself, outside their bundle, so that every page and the
 * integration that writes the files share one cache and one pool of workers.
 */
export const siteImages = (): VitePlugin => ({
  name: 'site-images',
  enforce: 'pre',
  resolveId: (id: string) =>
    id === 'virtual:site-images' ? { id: new URL('covers.ts', import.meta.url).href, external: true } : undefined,
  configureServer(server) {
    server.middlewares.use('/_astro', (request, response, next) => {
      const name = (request.url ?? '').slice(1).replace(/\?.*$/, '')
      findImageFile(name).then((file) => {
        if (file === undefined) return next()
        response.setHeader('content-type', contentTypeOf(file))
        createReadStream(file).pipe(response)
      }, next)
    })
  },
})
