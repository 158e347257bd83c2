import { existsSync, readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
import { openPacker, toEtag } from './packed-forms.ts'
import type { Path } from './page-places.ts'
import { type ExpectedPages, openPagefind, pagefindFolder } from './pagefind.ts'
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
  // Left by an earlier attempt.
  await rm(files.narrated, { recursive: true, force: true })
  const keptPages = openKeptPages({ earlier, outDir, assets })
  const pictures = openAstroPictures()
  keptTexts.open(earlier)
  const pagefind = openPagefind({ client: files.client, earlier: before })
  const packer = openPacker({ isKnown: toIsPacked(before) })
  const routeHeaders = new Map<string, Headers>()
  let written: WrittenPages = { pages: new Map(), files: new Map(), redirects: [] }

  /** Tells Pagefind which pages the build has: those that are rendered, and the publisher's own files. */
  function expectPages({ names, ...others }: ExpectedPages, publicPages: ReadonlyMap<string, Buffer>): void {
    pagefind.expect({ names: [...names, ...publicPages.keys()], ...others })
    for (const [name, html] of publicPages) pagefind.show(name, { etag: toEtag(html), html: html.toString() })
  }

  /**
   * Puts pages and pictures where they belong.
   *
   * @returns the names of the pages with placeholders
   */
  async function placePages(): Promise<Set<string>> {
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
    return new Set(existsSync(files.narrated) ? listFiles(files.narrated) : [])
  }

  return {
    /**
     * Renders and writes all pages except those that are taken from the earlier build. Pagefind makes its index once it
     * has every page that belongs into it, while the others are rendered.
     *
     * @param prerenderer renders every page
     * @returns the pages that answer with a redirect, which are not written
     */
    async writePages(prerenderer: AstroPrerenderer): Promise<readonly Path[]> {
      pictures.listen()
      const publicFolder = join(root, 'public')
      const publicFiles = existsSync(publicFolder) ? listFiles(publicFolder) : []
      const publicPages = new Map(
        publicFiles
          .filter((name) => name.endsWith('.html'))
          .map((name) => [name, readFileSync(join(publicFolder, name))] as const),
      )
      const ofChanged = keptPages.withoutKept(prerenderer, (pages) => expectPages(pages, publicPages))
      written = await writePages(ofChanged, {
        outDir,
        baseUrl,
        publicFiles: new Set(publicFiles),
        isFirst: pagefind.isAwaited,
        onFirst: pagefind.begin,
        onPage: pagefind.show,
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
      const withPlaceholders = await placePages()
      const index = openFileIndex(client, routeHeaders, {
        withPlaceholders,
        taken: keptPages.taken(),
        earlier: before,
        packer,
      })
      const address = baseUrl.replace(/\/$/, '')
      const findFaults = () =>
        findAddressFaults({ root, outDir, baseUrl: address, files: index.files, late: `/${pagefindFolder}/`, digests })
      // Everything that needs no file of Pagefind, because Pagefind takes long and leaves this process idle.
      const finishRest = async (): Promise<boolean> => {
        await writeImages(outDir)
        await writeFile(join(client, buyerFile), code)
        const isOther = (name: string) => !name.startsWith(`${pagefindFolder}/`)
        await index.add(listFiles(client).filter(isOther), written.files)
        await writePodcastFile(outDir, { baseUrl: address, dataDir: readConfig(process.env).dataDir })
        await writeFile(files.pages, keptPages.toJson(pagefind.indexed()))
        return (await findFaults()).length === 0
      }
      const pagefindWritten = pagefind.write(keptPages.hasSameHtml())
      const [isSound, , ofPagefind] = await Promise.all([
        finishRest(),
        makeSearchIndex(outDir, earlier),
        pagefindWritten,
      ])
      await index.add(ofPagefind.keys(), ofPagefind)
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
