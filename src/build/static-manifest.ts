import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { loadBuild } from '../storage/build-folder.ts'
import { type BuyerBundle, buyerFile, takeBuyerBundle } from './buyer-bundle.ts'
import { exactly } from './exactly.ts'
import { imageModules, type VitePlugin } from './images/image-modules.ts'
import { keepBundle } from './repeated/kept-bundle.ts'
import { bundleServer, placeServer } from './server-bundle.ts'
import { openSiteBuild, type SiteBuild } from './site-build.ts'
import { themeModules } from './theme-module.ts'

/**
 * Astro integration that writes the pages and completes the build by the steps of `site-build.ts`. It leaves to Astro
 * the bundles, the pictures that pages ask for, and redirects, and keeps Astro's bundle for the next build.
 *
 * @param earlier the folder of a finished build that differs in its posts at most
 */
export default function staticManifest({ earlier }: { earlier?: string | undefined } = {}): AstroIntegration {
  let bundle: () => Promise<BuyerBundle>
  let outDir = ''
  let root = ''
  let baseUrl = ''
  let build: SiteBuild
  let keep = async (_: Parameters<typeof keepBundle>[1]): Promise<void> => {}
  let prerender = () => {}
  let server: ReturnType<typeof bundleServer>
  return {
    name: 'static-manifest',
    hooks: {
      'astro:config:setup': ({ command, config, injectRoute, updateConfig }) => {
        root = fileURLToPath(config.root)
        bundle = once(() => takeBuyerBundle(root, earlier))
        updateConfig({ vite: { plugins: [virtualBuyerBundle(() => bundle()), imageModules(), themeModules()] } })
        // In `astro dev` nothing moves these files out of the public folder, so they have no routes at all.
        if (command === 'build') {
          injectRoute({ pattern: '/private/[name]', entrypoint: privateTextsRoute, prerender: true })
          injectRoute({ pattern: '/prices/[slug]', entrypoint: pricePagesRoute, prerender: true })
          injectRoute({ pattern: '/previews/[slug]', entrypoint: previewsRoute, prerender: true })
        }
      },
      'astro:config:done': ({ config }) => {
        outDir = fileURLToPath(config.outDir)
        baseUrl = config.site ?? ''
      },
      'astro:build:start': async ({ setPrerenderer }) => {
        const before = earlier === undefined ? undefined : loadBuild(earlier)
        build = await openSiteBuild({ root, outDir, baseUrl, earlier: before })
        prerender = () =>
          setPrerenderer((astro) => ({
            ...astro,
            async getStaticPaths() {
              // Bundled while pages are rendered: Astro has written its modules, and adds no more of them.
              server = bundleServer(outDir)
              // Reported once the pages are written.
              server.catch(() => {})
              return [...(await build.writePages(astro))]
            },
          }))
      },
      'astro:build:setup': ({ pages }) => {
        // Set any earlier, Astro would expect the prerenderer to bring its own entry, and not bundle Astro's.
        prerender()
        keep = (made) => keepBundle({ root, outDir, earlier, pages }, made)
      },
      'astro:build:generated': async ({ routeToHeaders }) => {
        build.noteHeaders(routeToHeaders)
        await keep({ assets: build.assets(), pictures: build.pictures() })
      },
      'astro:build:done': async () => {
        placeServer(outDir, await server)
        await build.finish(await bundle())
      },
    },
  }
}

/** Astro writes its responses like those of any other route; they are moved away before files are listed. */
const privateTextsRoute = 'src/build/private-texts.ts'

/** Previews of unpublished posts. */
const previewsRoute = 'src/build/preview-page.astro'

/** Pages that are served at the addresses of products when payment is required; they have no address of their own. */
const pricePagesRoute = 'src/build/price-page.astro'

/** `virtual:buyer-bundle`: hash and size of the buying program, for pages. */
const virtualBuyerBundle = (bundle: () => Promise<BuyerBundle>): VitePlugin => ({
  name: 'buyer-bundle',
  resolveId: { filter: { id: exactly('virtual:buyer-bundle') }, handler: (id) => `\0${id}` },
  load: {
    filter: { id: exactly('\0virtual:buyer-bundle') },
    async handler() {
      const { code, sha256 } = await bundle()
      return `export const sha256 = ${JSON.stringify(sha256)}; export const bytes = ${code.length}`
    },
  },
  configureServer(server) {
    server.middlewares.use(`/${buyerFile}`, (_request, response, next) => {
      bundle().then(({ code }) => response.setHeader('content-type', 'text/javascript').end(code), next)
    })
  },
})

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
