import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { AstroPrerenderer } from 'astro'
import { z } from 'zod'
import { sha256 } from '../core/sha256.ts'
import { buildFiles } from '../storage/build-folder.ts'
import { hasPictures, toPictureFinder } from './images/astro-pictures.ts'
import { assetFolder, placeFile } from './images/page-image.ts'
import { isServed, type Path, toFile, toPlaceholdersFile } from './page-places.ts'
import type { ExpectedPages } from './pagefind.ts'

const pageSchema = z.object({
  /** A key of everything that the page shows and that does not follow from the build's ground key. */
  key: z.string(),
  /** The source file of its route. */
  component: z.string(),
  /** Its path below the client folder. */
  file: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** The pictures that it shows and that are made only if a page requests them, or that Astro would remove. */
  pictures: z.array(z.string()),
})

type KeptPage = z.output<typeof pageSchema>

const keptSchema = z.object({
  /** The names of the files that pages may load, with their hashes. */
  assets: z.array(z.string()).readonly(),
  /** The pages that a later build may take over, by path. */
  pages: z.record(z.string(), pageSchema),
  /** The files of the pages in Pagefind's index. */
  indexed: z.array(z.string()),
})

interface Options {
  /** The folder of a finished build that differs in its posts at most. */
  readonly earlier: string | undefined
  readonly outDir: string
  /** The names of the files that pages may load; when absent, the files in `outDir` when rendering begins. */
  readonly assets?: readonly string[] | undefined
}

/** The responses of the pages that were rendered, by path. */
type Rendered = ReadonlyMap<string, { readonly headers: Headers }>

/**
 * The key of a page that may show something of any published post. It combines the keys of all pages that have one of
 * their own, because every published post has such a page.
 */
const toCommonKey = (paths: readonly Path[]): string =>
  sha256(
    JSON.stringify(paths.flatMap(({ pathname, cacheKey }) => (cacheKey === undefined ? [] : [[pathname, cacheKey]]))),
  )

/**
 * Takes pages from an earlier build instead of rendering them: those whose path has an unchanged `cacheKey`, and those
 * without a `cacheKey` if all the keys of other pages are unchanged, provided that all styles and scripts are the
 * same, too. All other pages are rendered, and so are pages without a `cacheKey` that state when they were made
 * (`last-modified`).
 */
export function openKeptPages({ earlier, outDir, assets: given }: Options) {
  const before = earlier === undefined ? undefined : readKept(earlier)
  const placePage = earlier === undefined ? undefined : makePlacePage(earlier, outDir)
  let assets: readonly string[] = []
  let known: Readonly<Record<string, KeptPage>> = {}
  const next: Record<string, KeptPage> = {}
  const asked = new Map<string, Omit<KeptPage, 'headers' | 'pictures'>>()
  let commonKey = ''
  const taken = new Set<string>()

  function take({ pathname, route }: Path, key: string): boolean {
    const kept = known[pathname]
    if (earlier === undefined || kept?.key !== key || kept?.component !== route.component) return false
    if (!hasPictures(earlier, kept.pictures)) return false
    if (placePage?.(kept.file) !== true) return false
    next[pathname] = kept
    taken.add(kept.file)
    return true
  }

  /** The HTML files among the kept pages. */
  const listHtml = (pages: Readonly<Record<string, KeptPage>>): string[] =>
    Object.values(pages).flatMap(({ file }) => (file.endsWith('.html') ? [file] : []))

  function toExpected(paths: readonly Path[]): ExpectedPages {
    const pages = paths.filter(({ route }) => route.type === 'page')
    const isSame = ({ pathname, cacheKey = commonKey }: Path) => known[pathname]?.key === cacheKey
    return {
      names: pages.map(({ pathname, route }) => toFile(pathname, route.type)),
      indexed: known === before?.pages ? new Set(before.indexed) : undefined,
      isChanged: !pages.every(isSame) || pages.length !== listHtml(known).length,
    }
  }

  return {
    /**
     * Wraps a prerenderer so that it renders only the pages that cannot be taken.
     *
     * @param expect is told the HTML pages of the build before any is taken or rendered
     */
    withoutKept: (prerenderer: AstroPrerenderer, expect: (pages: ExpectedPages) => void): AstroPrerenderer => ({
      ...prerenderer,
      async getStaticPaths() {
        assets = given ?? listAssets(outDir)
        if (before && JSON.stringify(before.assets) === JSON.stringify(assets)) known = before.pages
        const paths = await prerenderer.getStaticPaths()
        commonKey = toCommonKey(paths)
        // Of two routes for one address the first wins, whether its page is taken or rendered.
        const served = new Map<string, Path>()
        for (const path of paths)
          if (isServed(path.pathname) && !served.has(path.pathname)) served.set(path.pathname, path)
        expect(toExpected([...served.values()]))
        for (const path of served.values()) {
          const { pathname, route, cacheKey: key = commonKey } = path
          if (!take(path, key))
            asked.set(pathname, { key, component: route.component, file: toFile(pathname, route.type) })
        }
        return paths.filter(({ pathname }) => !(pathname in next))
      },
    }),
    /**
     * The headers of the pages that were taken and of those in `rendered` that a later build may take, by path. Pages
     * that state when they were made state the time of this build, as all that it renders do.
     */
    headersOf(rendered: Rendered): Map<string, Headers> {
      const date = Array.from(rendered.values(), ({ headers }) => headers.get('last-modified')).find(Boolean)
      for (const page of Object.values(next))
        page.headers = page.headers.map(([name, value]) => [name, name === 'last-modified' ? (date ?? value) : value])
      for (const [pathname, { headers }] of rendered) {
        const page = asked.get(pathname)
        const isDated = page?.key === commonKey && headers.has('last-modified')
        if (page && !isDated) next[pathname] = { ...page, headers: [...headers], pictures: [] }
      }
      return new Map(Object.entries(next).map(([pathname, { headers }]) => [pathname, new Headers(headers)]))
    },
    /**
     * Finds the pictures that the rendered pages show.
     *
     * @param made the names of the pictures that pages requested, and of the originals of those that Astro generated
     * @param findShown what the page at a path shows of the asset folder
     */
    findPictures(made: ReadonlySet<string>, findShown: (pathname: string) => readonly string[]): void {
      const find = toPictureFinder(made)
      for (const [pathname, page] of Object.entries(next))
        if (!taken.has(page.file)) page.pictures = find(findShown(pathname))
    },
    /** Whether every HTML page was taken, and none of the earlier build is gone. Call it after `headersOf`. */
    hasSameHtml(): boolean {
      const html = listHtml(next)
      return html.every((file) => taken.has(file)) && html.length === listHtml(before?.pages ?? {}).length
    },
    /** The names of all the pictures that were found, now and in earlier builds. */
    pictures: (): ReadonlySet<string> => new Set(Object.values(next).flatMap(({ pictures }) => pictures)),
    /** The names of the files that pages may load. */
    assets: (): readonly string[] => assets,
    /**
     * The files of the pages that were taken. They are in the build as served and, if they have placeholders, as
     * written.
     */
    taken: (): ReadonlySet<string> => taken,
    /**
     * The content of `pages.json`, for later builds; it does not depend on which pages were taken.
     *
     * @param indexed the files of the pages in Pagefind's index
     */
    toJson(indexed: string[]): string {
      const pages = Object.fromEntries(Object.entries(next).sort(([a], [b]) => (a < b ? -1 : 1)))
      return JSON.stringify({ assets, pages, indexed } satisfies z.output<typeof keptSchema>)
    },
  }
}

/** The pages that an earlier build kept; undefined where it has no list, or a damaged one. */
function readKept(folder: string): z.output<typeof keptSchema> | undefined {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(buildFiles(folder).pages, 'utf8')))
  } catch {
    return undefined
  }
}

/** The names of the files that were bundled for browsers, wherever they lie in an unfinished build. */
function listAssets(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const names = files.filter((item) => item.isFile() && basename(item.parentPath) === assetFolder)
  return [...new Set(names.map(({ name }) => name))].sort()
}

/**
 * Makes a function that puts a page of an earlier build into a new one as it is served and, if it has placeholders that
 * the running site fills in (`src/narration/placeholders/`), also as it was written. The function returns false when
 * the earlier build is damaged.
 */
function makePlacePage(earlier: string, outDir: string): (name: string) => boolean {
  const [from, to] = [buildFiles(earlier), buildFiles(outDir)]
  const folders = new Set<string>()
  const makeFolder = (folder: string): void => {
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true })
    folders.add(folder)
  }
  return (name) => {
    const written = toPlaceholdersFile(name)
    const places = [{ file: join(from.client, name), place: join(to.client, name) }]
    const asWritten = { file: join(from.narrated, written), place: join(to.narrated, written) }
    if (existsSync(asWritten.file)) places.push(asWritten)
    try {
      for (const { file, place } of places) {
        makeFolder(dirname(place))
        placeFile(file, place)
      }
      return true
    } catch {
      // Removed rather than overwritten, because a placed file may be a hard link into that build.
      for (const { place } of places) rmSync(place, { force: true })
      return false
    }
  }
}
