import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { AstroPrerenderer } from 'astro'
import { z } from 'zod'
import { sha256 } from '../core/sha256.ts'
import { buildFiles } from '../storage/build-folder.ts'
import { hasPictures, toPictureFinder } from './images/astro-pictures.ts'
import { assetFolder, placeFile } from './images/page-image.ts'
import { isServed, toFile } from './page-places.ts'

const pageSchema = z.object({
  /** Of everything that the page shows and that its ground does not decide. */
  key: z.string(),
  /** The file of its route. */
  component: z.string(),
  /** Below the client folder. */
  file: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** Those that it shows and that nobody makes unless a page asks, or that Astro would remove. */
  pictures: z.array(z.string()),
})

type KeptPage = z.output<typeof pageSchema>

const keptSchema = z.object({
  /** The names of the files that pages may load, with their hashes. */
  assets: z.array(z.string()).readonly(),
  /** What a later build may take over, by path. */
  pages: z.record(z.string(), pageSchema),
})

type Path = Awaited<ReturnType<AstroPrerenderer['getStaticPaths']>>[number]

interface Options {
  /** The folder of a finished build that differs in its posts at most. */
  readonly earlier: string | undefined
  readonly outDir: string
  /** The names of the files that pages may load; those of the build, before pages are rendered, when absent. */
  readonly assets?: readonly string[] | undefined
}

/** The answers of the pages that were rendered, by path. */
type Rendered = ReadonlyMap<string, { readonly headers: Headers }>

/** The key of a page that may show something of every published post: each of them has a page with a key of its own. */
const toCommonKey = (paths: readonly Path[]): string =>
  sha256(
    JSON.stringify(paths.flatMap(({ pathname, cacheKey }) => (cacheKey === undefined ? [] : [[pathname, cacheKey]]))),
  )

/**
 * Takes pages from an earlier build instead of rendering them: those whose path has a `cacheKey` that is still the same,
 * and those without one if all the others are still the same, as long as all styles and scripts are the same, too.
 * Everything else is rendered, and so is what says when it was made (`last-modified`) and has no key.
 */
export function openKeptPages({ earlier, outDir, assets: given }: Options) {
  const before = earlier === undefined ? undefined : readKept(earlier)
  let assets: readonly string[] = []
  let known: Readonly<Record<string, KeptPage>> = {}
  const next: Record<string, KeptPage> = {}
  const asked = new Map<string, Omit<KeptPage, 'headers' | 'pictures'>>()
  let commonKey = ''
  const taken = new Set<string>()

  async function take({ pathname, route }: Path, key: string): Promise<boolean> {
    const kept = known[pathname]
    if (earlier === undefined || kept?.key !== key || kept?.component !== route.component) return false
    if (!hasPictures(earlier, kept.pictures)) return false
    const isPlaced = await placePage(earlier, outDir, kept.file)
    if (isPlaced) {
      next[pathname] = kept
      taken.add(kept.file)
    }
    return isPlaced
  }

  return {
    /** Renders what cannot be taken. */
    withoutKept: (prerenderer: AstroPrerenderer): AstroPrerenderer => ({
      ...prerenderer,
      async getStaticPaths() {
        assets = given ?? listAssets(outDir)
        if (before && JSON.stringify(before.assets) === JSON.stringify(assets)) known = before.pages
        const left: Path[] = []
        const seen = new Set<string>()
        const paths = await prerenderer.getStaticPaths()
        commonKey = toCommonKey(paths)
        for (const path of paths) {
          const { pathname, route, cacheKey: key = commonKey } = path
          // The first of two routes for one address has it; a page that is taken is as good as a page that is rendered.
          const isFirst = !seen.has(pathname)
          seen.add(pathname)
          if (isFirst && isServed(pathname)) {
            if (await take(path, key)) continue
            asked.set(pathname, { key, component: route.component, file: toFile(pathname, route.type) })
          }
          if (!(pathname in next)) left.push(path)
        }
        return left
      },
    }),
    /** What the pages that were taken had as headers, by path. To be told those of the pages that were rendered. */
    headersOf(rendered: Rendered): Map<string, Headers> {
      for (const [pathname, { headers }] of rendered) {
        const page = asked.get(pathname)
        const isDated = page?.key === commonKey && headers.has('last-modified')
        if (page && !isDated) next[pathname] = { ...page, headers: [...headers], pictures: [] }
      }
      return new Map(Object.entries(next).map(([pathname, { headers }]) => [pathname, new Headers(headers)]))
    },
    /**
     * Looks for the pictures that the pages which were rendered show.
     *
     * @param made the names of those that were made because pages asked, and of what Astro's are made of
     */
    async findPictures(made: ReadonlySet<string>): Promise<void> {
      if (made.size === 0) return
      const { client } = buildFiles(outDir)
      const find = toPictureFinder(made)
      for (const page of Object.values(next))
        if (!taken.has(page.file)) page.pictures = find(await readFile(join(client, page.file), 'utf8'))
    },
    /** Whether every page that browsers show was taken, and none is gone. To be asked after `headersOf`. */
    hasSameHtml(): boolean {
      const listHtml = (pages: Readonly<Record<string, KeptPage>>) =>
        Object.values(pages).flatMap(({ file }) => (file.endsWith('.html') ? [file] : []))
      const html = listHtml(next)
      return html.every((file) => taken.has(file)) && html.length === listHtml(before?.pages ?? {}).length
    },
    /** The names of all that were found, now and in earlier builds. */
    pictures: (): ReadonlySet<string> => new Set(Object.values(next).flatMap(({ pictures }) => pictures)),
    /** The names of the files that pages may load. */
    assets: (): readonly string[] => assets,
    /** The files of the pages that were taken, which lie there as they are served, and as they were written beside it. */
    taken: (): ReadonlySet<string> => taken,
    /** What is to be kept of this build, for `pages.json`; the same whichever pages were taken. */
    toJson(): string {
      const pages = Object.fromEntries(Object.entries(next).sort(([a], [b]) => (a < b ? -1 : 1)))
      return JSON.stringify({ assets, pages } satisfies z.output<typeof keptSchema>)
    },
  }
}

/** Nothing where an earlier build kept nothing; a damaged list has nothing to give. */
function readKept(folder: string): z.output<typeof keptSchema> | undefined {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(buildFiles(folder).pages, 'utf8')))
  } catch {
    return undefined
  }
}

/** What was bundled for browsers, wherever in a build that is not finished it lies. */
function listAssets(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const names = files.filter((item) => item.isFile() && basename(item.parentPath) === assetFolder)
  return [...new Set(names.map(({ name }) => name))].sort()
}

/**
 * Puts a page into a build as it is served in an earlier one, and beside it as it was written where that has the marks
 * that the running site fills in (`src/narration/placeholders/`); false when that build is damaged.
 */
async function placePage(earlier: string, outDir: string, name: string): Promise<boolean> {
  const [from, to] = [buildFiles(earlier), buildFiles(outDir)]
  const isNarrated = existsSync(join(from.narrated, name))
  const places = (isNarrated ? (['narrated', 'client'] as const) : (['client'] as const)).map((folder) => ({
    file: join(from[folder], name),
    place: join(to[folder], name),
  }))
  const placed = await Promise.allSettled(
    places.map(async ({ file, place }) => {
      await mkdir(dirname(place), { recursive: true })
      await placeFile(file, place)
    }),
  )
  if (placed.every(({ status }) => status === 'fulfilled')) return true
  // Never to be written to: what was placed may be the file of that build.
  await Promise.all(places.map(({ place }) => rm(place, { force: true })))
  return false
}
