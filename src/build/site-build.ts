import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AstroPrerenderer } from 'astro'
import { readConfig } from '../config/config.ts'
import { type Build, buildFiles, loadBuild } from '../storage/build-folder.ts'
import { type BuyerBundle, buyerFile } from './buyer-bundle.ts'
import { checkAddresses } from './check-addresses.ts'
import { namesOf, openAstroPictures, originalsOf, takePictures } from './images/astro-pictures.ts'
import { listAskedNames, writeImages } from './images/build-images.ts'
import { indexFiles } from './index-files.ts'
import { openKeptPages } from './kept-pages.ts'
import { keptTexts } from './kept-texts.ts'
import { withLateScripts } from './late-scripts.ts'
import { packEarly } from './pack-early.ts'
import { openPacker } from './packed-forms.ts'
import { isServed } from './page-places.ts'
import { makeSearchIndex, pagefindFolder, takePagefind, writePagefind } from './search-index.ts'
import { takeOutPlaceholders } from './take-out-placeholders.ts'
import { writePodcastFile } from './write-podcast-file.ts'

interface Options {
  /** The repository. */
  readonly root: string
  readonly outDir: string
  /** The address of the site. */
  readonly baseUrl: string
  /** The folder of a finished build that differs in its posts at most. */
  readonly earlier: string | undefined
  /** The names of the files that were bundled for browsers; when absent, those in `outDir` when rendering begins. */
  readonly assets?: readonly string[]
}

/** The response headers of pages, by path. */
type PageHeaders = ReadonlyMap<string, { readonly headers: Headers }>

/**
 * The steps of a build around the writing of pages, shared by Astro's build and repeated builds. It takes over
 * unchanged pages. After the last page is written, it moves the paid texts out of the client files, adds the pictures,
 * the search indexes and the buying program, checks links and aliases, and writes `manifest.json`, the only list of
 * served files.
 */
export async function openSiteBuild({ root, outDir, baseUrl, earlier, assets }: Options) {
  const files = buildFiles(outDir)
  // Left by an earlier attempt.
  await rm(files.narrated, { recursive: true, force: true })
  const keptPages = openKeptPages({ earlier, outDir, assets })
  const pictures = openAstroPictures()
  keptTexts.open(earlier)
  const before = earlier === undefined ? undefined : loadBuild(earlier)
  const packer = openPacker({ isKnown: toIsPacked(before) })
  const routeHeaders = new Map<string, Headers>()

  return {
    /** @param written a prerenderer that renders every page */
    toPrerenderer(written: AstroPrerenderer): AstroPrerenderer {
      const prerenderer = keptPages.withoutKept(packEarly(withLateScripts(written), packer, isServed))
      return {
        ...prerenderer,
        getStaticPaths() {
          pictures.listen()
          return prerenderer.getStaticPaths()
        },
      }
    },
    /** Notes the headers of all pages. Call it once all pages are written. */
    noteHeaders(rendered: PageHeaders): void {
      const ofKept = Array.from(keptPages.headersOf(rendered), ([path, headers]) => [path, { headers }] as const)
      for (const [path, { headers }] of [...ofKept, ...rendered])
        routeHeaders.set(`/${path.replace(/^\/|\/$/g, '')}`, headers)
    },
    /** The names of the files that were bundled for browsers. */
    assets: keptPages.assets,
    /** The pictures that pages requested from Astro. */
    pictures: pictures.list,
    /** @returns how many files are served */
    async finish({ code }: BuyerBundle): Promise<number> {
      const { manifest, client } = files
      await takeOutPrivateTexts(outDir)
      await takeOut(outDir, 'prices', files.pricePages)
      const made = pictures.list()
      const asked = new Set(await listAskedNames())
      await keptPages.findPictures(new Set([...namesOf(made), ...originalsOf(made), ...asked]))
      // The pictures in `asked` are written by `writeImages` below.
      const shown = new Set([...namesOf(made), ...keptPages.pictures()]).difference(asked)
      if (earlier !== undefined) await takePictures(earlier, outDir, shown)
      const withPlaceholders = await takeOutPlaceholders(files, keptPages.taken())
      await takeOut(outDir, 'previews', files.previews)
      // Pagefind runs in a process of its own and reads the pages in parallel.
      const pagefind = before && keptPages.hasSameHtml() ? takePagefind(before, client) : writePagefind(client)
      const listRest = async () => {
        await writeImages(outDir)
        await makeSearchIndex(outDir, earlier)
        await writeFile(join(client, buyerFile), code)
        const late = { folder: pagefindFolder, written: pagefind }
        return indexFiles(client, routeHeaders, {
          withPlaceholders,
          taken: keptPages.taken(),
          earlier: before,
          packer,
          late,
        })
      }
      const [listed] = await Promise.all([listRest(), pagefind])
      const address = baseUrl.replace(/\/$/, '')
      await checkAddresses({ root, outDir, baseUrl: address, files: listed })
      await writePodcastFile(outDir, { baseUrl: address, dataDir: readConfig(process.env).dataDir })
      await writeFile(files.pages, keptPages.toJson())
      keptTexts.write(outDir)
      // Astro's adapter writes this file for its own server, which is not used.
      await rm(join(outDir, '_headers.json'), { force: true })
      await writeFile(manifest, JSON.stringify(listed))
      return Object.keys(listed).length
    },
  }
}

export type SiteBuild = Awaited<ReturnType<typeof openSiteBuild>>

/** Makes a function that says whether a finished build has the compressed forms of the file with an entity tag. */
function toIsPacked(build: Build | undefined): (etag: string) => boolean {
  const tags = new Set(Object.values(build?.manifest ?? {}).flatMap(({ etag, br }) => (br === undefined ? [] : etag)))
  return (etag) => tags.has(etag)
}

/** Moves the texts that are sold out of the client files, where Astro writes them, to where no URL reaches. */
export const takeOutPrivateTexts = (outDir: string): Promise<void> =>
  takeOut(outDir, 'private', buildFiles(outDir).privateTexts)

/** Moves a folder that Astro wrote among the client files out of them, and replaces that of an earlier attempt. */
async function takeOut(outDir: string, name: string, to: string): Promise<void> {
  const written = join(buildFiles(outDir).client, name)
  await rm(to, { recursive: true, force: true })
  if (existsSync(written)) await rename(written, to)
}
