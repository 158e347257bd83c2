import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { readConfig } from '../config/config.ts'
import { type Build, buildFiles, loadBuild } from '../storage/build-folder.ts'
import { type BuyerBundle, buyerFile, takeBuyerBundle } from './buyer-bundle.ts'
import { checkAddresses } from './check-addresses.ts'
import { writeImages } from './images/build-images.ts'
import { imageModules, type VitePlugin } from './images/image-modules.ts'
import { indexFiles } from './index-files.ts'
import { openKeptPages } from './kept-pages.ts'
import { keptTexts } from './kept-texts.ts'
import { withLateScripts } from './late-scripts.ts'
import { packEarly } from './pack-early.ts'
import { openPacker, type Packer } from './packed-forms.ts'
import { makeSearchIndex, pagefindFolder, searchDocumentsRoute, writePagefind } from './search-index.ts'
import { takeOutPlaceholders } from './take-out-placeholders.ts'
import { themeModules } from './theme-module.ts'
import { writePodcastFile } from './write-podcast-file.ts'

/**
 * Astro integration that makes a build servable: after the pages are written it takes the paid texts out of the
 * client files, adds the pictures, the search indexes and the buying program, holds the writing to its addresses, and
 * writes `manifest.json`, the only list of what is served.
 *
 * @param earlier the folder of a finished build that differs in its posts at most
 */
export default function staticManifest({ earlier }: { earlier?: string | undefined } = {}): AstroIntegration {
  const routeHeaders = new Map<string, Headers>()
  let bundle: () => Promise<BuyerBundle>
  let outDir = ''
  let root = ''
  let baseUrl = ''
  let keptPages: ReturnType<typeof openKeptPages>
  let before: Build | undefined
  let packer: Packer
  let prerender = () => {}
  return {
    name: 'static-manifest',
    hooks: {
      'astro:config:setup': ({ command, config, injectRoute, updateConfig }) => {
        root = fileURLToPath(config.root)
        bundle = once(() => takeBuyerBundle(root, earlier))
        updateConfig({ vite: { plugins: [virtualBuyerBundle(() => bundle()), imageModules(), themeModules()] } })
        // In `astro dev` there is no private folder to move them to, so they are not routed at all.
        if (command === 'build') {
          injectRoute({ pattern: '/private/[name]', entrypoint: privateTextsRoute, prerender: true })
          injectRoute({ pattern: '/prices/[slug]', entrypoint: pricePagesRoute, prerender: true })
          injectRoute({ pattern: '/previews/[slug]', entrypoint: previewsRoute, prerender: true })
          injectRoute(searchDocumentsRoute)
        }
      },
      'astro:config:done': ({ config }) => {
        outDir = fileURLToPath(config.outDir)
        baseUrl = config.site ?? ''
      },
      'astro:build:start': async ({ setPrerenderer }) => {
        // Of an earlier try.
        await rm(buildFiles(outDir).narrated, { recursive: true, force: true })
        keptPages = openKeptPages({ earlier, outDir })
        keptTexts.open(earlier)
        before = earlier === undefined ? undefined : loadBuild(earlier)
        packer = openPacker({ isKnown: toIsPacked(before) })
        prerender = () =>
          setPrerenderer((written) => keptPages.withoutKept(packEarly(withLateScripts(written), packer, isServed)))
      },
      // Said any earlier, Astro expects an entry for it, too, instead of bundling its own.
      'astro:build:setup': () => prerender(),
      'astro:build:generated': ({ routeToHeaders }) => {
        const ofKept = Array.from(
          keptPages.headersOf(routeToHeaders),
          ([path, headers]) => [path, { headers }] as const,
        )
        for (const [path, { headers }] of [...ofKept, ...routeToHeaders])
          routeHeaders.set(`/${path.replace(/^\/|\/$/g, '')}`, headers)
      },
      'astro:build:done': async ({ logger }) => {
        const { manifest, client } = buildFiles(outDir)
        await takeOutPrivateTexts(outDir)
        await takeOut(outDir, 'prices', buildFiles(outDir).pricePages)
        const withPlaceholders = await takeOutPlaceholders(buildFiles(outDir), keptPages.taken())
        await takeOut(outDir, 'previews', buildFiles(outDir).previews)
        // Pagefind is a program of its own, which reads the pages meanwhile.
        const pagefind = writePagefind(client)
        const listRest = async () => {
          await writeImages(outDir)
          await makeSearchIndex(outDir, earlier)
          await writeFile(join(client, buyerFile), (await bundle()).code)
          const late = { folder: pagefindFolder, written: pagefind }
          return indexFiles(client, routeHeaders, { withPlaceholders, earlier: before, packer, late })
        }
        const [files] = await Promise.all([listRest(), pagefind])
        const address = baseUrl.replace(/\/$/, '')
        checkAddresses({ root, outDir, baseUrl: address, files })
        await writePodcastFile(outDir, { baseUrl: address, dataDir: readConfig(process.env).dataDir })
        await writeFile(buildFiles(outDir).pages, keptPages.toJson())
        keptTexts.write(outDir)
        await writeFile(manifest, JSON.stringify(files))
        logger.info(`${Object.keys(files).length} files listed`)
      },
    },
  }
}

const movedAway = ['private', 'prices', 'previews']

/** Whether what is rendered for a path stays among the client files. */
const isServed = (path: string): boolean => !movedAway.some((name) => path.startsWith(`/${name}/`))

/** Whether a finished build has the compressed forms of what has a tag. */
function toIsPacked(build: Build | undefined): (etag: string) => boolean {
  const tags = new Set(Object.values(build?.manifest ?? {}).flatMap(({ etag, br }) => (br === undefined ? [] : etag)))
  return (etag) => tags.has(etag)
}

/** Written by Astro like any other route; its answers are moved away before anything is listed. */
const privateTextsRoute = 'src/build/private-texts.ts'

/** Posts that are not published. */
const previewsRoute = 'src/build/preview-page.astro'

/** Pages that are answered at the addresses of what is sold, and have none of their own. */
const pricePagesRoute = 'src/build/price-page.astro'

/** Moves the texts that are sold from where Astro writes every prerendered file to where no URL reaches. */
export const takeOutPrivateTexts = (outDir: string): Promise<void> =>
  takeOut(outDir, 'private', buildFiles(outDir).privateTexts)

/** Moves a folder that Astro wrote among the client files out of them, in place of one of an earlier try. */
async function takeOut(outDir: string, name: string, to: string): Promise<void> {
  const written = join(buildFiles(outDir).client, name)
  await rm(to, { recursive: true, force: true })
  if (existsSync(written)) await rename(written, to)
}

/** `virtual:buyer-bundle`, what pages may know of the buying program. */
const virtualBuyerBundle = (bundle: () => Promise<BuyerBundle>): VitePlugin => ({
  name: 'buyer-bundle',
  resolveId: (id: string) => (id === 'virtual:buyer-bundle' ? `\0${id}` : undefined),
  async load(id: string) {
    if (id !== '\0virtual:buyer-bundle') return undefined
    const { code, sha256 } = await bundle()
    return `export const sha256 = ${JSON.stringify(sha256)}; export const bytes = ${code.length}`
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
