import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AstroPrerenderer } from 'astro'
import { readConfig } from '../config/config.ts'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import { type BuyerBundle, buyerFile } from './buyer-bundle.ts'
import { findAddressFaults } from './check-addresses.ts'
import { namesOf, openAstroPictures, originalsOf, takePictures } from './images/astro-pictures.ts'
import { listAskedNames, writeImages } from './images/build-images.ts'
import { openFileIndex } from './index-files.ts'
import { openKeptPages } from './kept-pages.ts'
import { keptTexts } from './kept-texts.ts'
import { listFiles } from './list-files.ts'
import { openPacker } from './packed-forms.ts'
import { isServed, type Path, toFile } from './page-places.ts'
import { isIndexed, openPagefind, pagefindFolder } from './pagefind.ts'
import { makeSearchIndex } from './search-index.ts'
import { type WrittenPages, writePages } from './write-pages.ts'
import { writePodcastFile } from './write-podcast-file.ts'

interface Options {
  /** The repository. */
  readonly root: string
  readonly outDir: string
  /** The address of the site. */
  readonly baseUrl: string
  /** A finished build that differs in its posts at most. */
  readonly earlier: Build | undefined
  /** The names of the files that were bundled for browsers; when absent, those in `outDir` when rendering begins. */
  readonly assets?: readonly string[]
  /** The digests of the posts, by file, where the caller has read them. */
  readonly digests?: ReadonlyMap<string, string>
}

/**
 * The steps of a build for which it does not matter whether Astro has just bundled its program or an earlier build did.
 * It takes over unchanged pages and writes the others. After the last page is written, it moves the paid texts out of
 * the client files, adds the pictures, the search indexes and the buying program, checks links and aliases, and writes
 * `manifest.json`, the only list of served files.
 */
export async function openSiteBuild({ root, outDir, baseUrl, earlier: before, assets, digests }: Options) {
  const earlier = before?.folder
  const files = buildFiles(outDir)
  // Where pages wait that Pagefind must not find half written.
  const waiting = join(outDir, 'waiting')
  // Left by an earlier attempt.
  for (const folder of [files.narrated, waiting]) await rm(folder, { recursive: true, force: true })
  const keptPages = openKeptPages({ earlier, outDir, assets })
  const pictures = openAstroPictures()
  keptTexts.open(earlier)
  const pagefind = openPagefind(files.client)
  const packer = openPacker({ isKnown: toIsPacked(before) })
  const routeHeaders = new Map<string, Headers>()
  let written: WrittenPages = { pages: new Map(), files: new Map(), redirects: [] }

  /**
   * Whether a page that is left to render belongs into Pagefind's index: what it was in the earlier build decides, so
   * that only a new page may be taken for one that does.
   */
  function isFirst({ pathname, route }: Path): boolean {
    if (route.type !== 'page' || !isServed(pathname)) return false
    if (earlier === undefined) return true
    const file = join(buildFiles(earlier).client, toFile(pathname, route.type))
    return !existsSync(file) || isIndexed(readFileSync(file, 'utf8'))
  }

  /**
   * Puts pages and pictures where they belong.
   *
   * @returns the names of the pages with placeholders, and of those that Pagefind was not shown
   */
  async function placePages() {
    const { client, narrated } = files
    const late = existsSync(waiting) ? await moveFiles(waiting, client) : []
    await takeOutPrivateTexts(outDir)
    await takeOut(outDir, 'prices', files.pricePages)
    await takeOut(outDir, 'previews', files.previews)
    const made = pictures.list()
    const asked = new Set(await listAskedNames())
    keptPages.findPictures(
      new Set([...namesOf(made), ...originalsOf(made), ...asked]),
      (pathname) => written.pages.get(pathname)?.shown ?? [],
    )
    // The pictures in `asked` are written by `writeImages` later.
    const shown = new Set([...namesOf(made), ...keptPages.pictures()]).difference(asked)
    if (earlier !== undefined) await takePictures(earlier, outDir, shown)
    const withPlaceholders = new Set(existsSync(narrated) ? listFiles(narrated) : [])
    const latePages = late.filter((name) => name.endsWith('.html') && existsSync(join(client, name)))
    return { withPlaceholders, latePages }
  }

  return {
    /**
     * Renders and writes all pages except those that are taken from the earlier build. Pagefind begins once it can see
     * every page that belongs into its index, while the others are rendered.
     *
     * @param prerenderer renders every page
     * @returns the pages that answer with a redirect, which are not written
     */
    async writePages(prerenderer: AstroPrerenderer): Promise<readonly Path[]> {
      pictures.listen()
      const publicFolder = join(root, 'public')
      written = await writePages(keptPages.withoutKept(prerenderer), {
        outDir,
        baseUrl,
        publicFiles: new Set(existsSync(publicFolder) ? listFiles(publicFolder) : []),
        isFirst,
        onFirst: () => {
          if (keptPages.hasNewHtml()) pagefind.begin()
        },
        waiting,
        packer,
      })
      return written.redirects
    },
    /**
     * Notes the headers of all pages. Call it once all pages are written.
     *
     * @param others the headers of pages that are written elsewhere
     */
    noteHeaders(others: ReadonlyMap<string, { readonly headers: Headers }> = new Map()): void {
      const rendered = new Map([...written.pages, ...others])
      const ofKept = Array.from(keptPages.headersOf(rendered), ([path, headers]) => [path, { headers }] as const)
      for (const [path, { headers }] of [...ofKept, ...rendered])
        routeHeaders.set(`/${path.replace(/^\/|\/$/g, '')}`, headers)
    },
    /** The names of the files that were bundled for browsers. */
    assets: keptPages.assets,
    /** The pictures that pages requested from Astro. */
    pictures: pictures.list,
    /** Completes the build. Call it after `noteHeaders`. */
    async finish({ code }: BuyerBundle): Promise<void> {
      const { manifest, client } = files
      const { withPlaceholders, latePages } = await placePages()
      const isSame = before && keptPages.hasSameHtml()
      const index = openFileIndex(client, routeHeaders, {
        withPlaceholders,
        taken: keptPages.taken(),
        written: written.files,
        earlier: before,
        packer,
      })
      const address = baseUrl.replace(/\/$/, '')
      const findFaults = () =>
        findAddressFaults({ root, outDir, baseUrl: address, files: index.files, late: `/${pagefindFolder}/`, digests })
      const isPagefind = (name: string) => name.startsWith(`${pagefindFolder}/`)
      // Everything that needs no file of Pagefind, because Pagefind takes long and leaves this process idle.
      const finishRest = async (): Promise<boolean> => {
        await writeImages(outDir)
        await writeFile(join(client, buyerFile), code)
        await index.add(listFiles(client).filter((name) => !isPagefind(name)))
        await writePodcastFile(outDir, { baseUrl: address, dataDir: readConfig(process.env).dataDir })
        await writeFile(files.pages, keptPages.toJson())
        return (await findFaults()).length === 0
      }
      const isLate = latePages.some((name) => isIndexed(readFileSync(join(client, name), 'utf8')))
      const pagefindWritten = isSame ? pagefind.take(before) : pagefind.write(!isLate)
      const [isSound] = await Promise.all([finishRest(), makeSearchIndex(outDir, earlier), pagefindWritten])
      await index.add(listFiles(join(client, pagefindFolder)).map((name) => `${pagefindFolder}/${name}`))
      // A link may lead to a file of Pagefind.
      const faults = isSound ? [] : await findFaults()
      if (faults.length > 0) throw new Error(faults.join('\n'))
      keptTexts.write(outDir)
      // Astro's adapter writes this file for its own server, which is not used.
      await rm(join(outDir, '_headers.json'), { force: true })
      await writeFile(manifest, JSON.stringify(index.toManifest()))
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

/** Moves the files below a folder to the same places below another one; returns their names. */
async function moveFiles(from: string, to: string): Promise<string[]> {
  const names = listFiles(from)
  for (const name of names) {
    await mkdir(dirname(join(to, name)), { recursive: true })
    await rename(join(from, name), join(to, name))
  }
  await rm(from, { recursive: true })
  return names
}
