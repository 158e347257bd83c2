import { createReadStream } from 'node:fs'
import type { AstroIntegration } from 'astro'
import { contentTypeOf } from '../../http/static/content-type.ts'
import { exactly } from '../exactly.ts'
import { findPicture, getSiteImages } from './build-images.ts'

export type VitePlugin = NonNullable<
  Parameters<NonNullable<AstroIntegration['hooks']['astro:config:setup']>>[0]['config']['vite']['plugins']
>[number]

const siteModule = 'virtual:site-images'
const resolvedSite = `\0${siteModule}`
const makersModule = 'virtual:make-images'

/**
 * Gives pages two modules about pictures: `virtual:site-images` holds values, for any page; `virtual:make-images`
 * makes pictures, for prerendered pages only. The second stays outside the pages' bundle, so that pages and build
 * share one instance of it.
 */
export const imageModules = (): VitePlugin => ({
  name: 'image-modules',
  enforce: 'pre',
  // Hooks without a filter would be called for each of thousands of modules.
  resolveId: {
    filter: { id: [exactly(makersModule), exactly(siteModule)] },
    handler: (id) =>
      id === siteModule ? resolvedSite : { id: new URL('build-images.ts', import.meta.url).href, external: true },
  },
  load: {
    filter: { id: exactly(resolvedSite) },
    async handler() {
      const { card, artwork } = await getSiteImages()
      return `export const card = ${JSON.stringify(card)}; export const artwork = ${JSON.stringify(artwork)}`
    },
  },
  configureServer(server) {
    server.middlewares.use((request, response, next) => {
      const name = decodeURI(request.url ?? '').replace(/^\/(?:_astro\/)?|\?.*$/g, '')
      findPicture(name).then((file) => {
        if (file === undefined) return next()
        response.setHeader('content-type', contentTypeOf(file))
        createReadStream(file).pipe(response)
      }, next)
    })
  },
})
