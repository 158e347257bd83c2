import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { AstroPrerenderer } from 'astro'
import { z } from 'zod'
import { buildFiles } from '../storage/build-folder.ts'
import { assetFolder, placeFile } from './images/page-image.ts'

const pageSchema = z.object({
  /** Of everything that the page shows and that its ground does not decide, as the `cacheKey` of its path. */
  key: z.string(),
  /** The file of its route. */
  component: z.string(),
  /** Below the client folder. */
  file: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
})

type KeptPage = z.output<typeof pageSchema>

const keptSchema = z.object({
  /** The names of the files that pages may load, with their hashes. */
  assets: z.array(z.string()),
  /** What a later build may take over, by path. */
  pages: z.record(z.string(), pageSchema),
})

type Path = Awaited<ReturnType<AstroPrerenderer['getStaticPaths']>>[number]

interface Options {
  /** The folder of a finished build that differs in its posts at most. */
  readonly earlier: string | undefined
  readonly outDir: string
}

/**
 * Takes pages from an earlier build instead of rendering them: those whose path has a `cacheKey` that is still the same,
 * as long as all styles and scripts are the same, too. Everything else is rendered.
 */
export function openKeptPages({ earlier, outDir }: Options) {
  const before = earlier === undefined ? undefined : readKept(earlier)
  let assets: string[] = []
  let known: Readonly<Record<string, KeptPage>> = {}
  const next: Record<string, KeptPage> = {}
  const asked = new Map<string, Omit<KeptPage, 'headers'>>()

  async function take({ pathname, route, cacheKey }: Path): Promise<boolean> {
    const kept = known[pathname]
    if (earlier === undefined || kept?.key !== cacheKey || kept?.component !== route.component) return false
    const file = join(buildFiles(outDir).client, kept.file)
    await mkdir(dirname(file), { recursive: true })
    const isPlaced = await placeFile(asWritten(earlier, kept.file), file).then(
      () => true,
      // A damaged build has nothing to give.
      () => false,
    )
    if (isPlaced) next[pathname] = kept
    return isPlaced
  }

  return {
    /** Renders what cannot be taken. */
    withoutKept: (prerenderer: AstroPrerenderer): AstroPrerenderer => ({
      ...prerenderer,
      async getStaticPaths() {
        assets = listAssets(outDir)
        if (before && JSON.stringify(before.assets) === JSON.stringify(assets)) known = before.pages
        const left: Path[] = []
        const seen = new Set<string>()
        for (const path of await prerenderer.getStaticPaths()) {
          const { pathname, route, cacheKey } = path
          // The first of two routes for one address has it; a page that is taken is as good as a page that is rendered.
          const isFirst = !seen.has(pathname)
          seen.add(pathname)
          if (isFirst && cacheKey !== undefined) {
            if (await take(path)) continue
            const file = `${pathname.slice(1)}${route.type === 'page' ? '/index.html' : ''}`
            asked.set(pathname, { key: cacheKey, component: route.component, file })
          }
          if (!(pathname in next)) left.push(path)
        }
        return left
      },
    }),
    /** What the pages that were taken had as headers, by path. To be told those of the pages that were rendered. */
    headersOf(rendered: ReadonlyMap<string, { readonly headers: Headers }>): Map<string, Headers> {
      for (const [pathname, { headers }] of rendered) {
        const page = asked.get(pathname)
        if (page) next[pathname] = { ...page, headers: [...headers] }
      }
      return new Map(Object.entries(next).map(([pathname, { headers }]) => [pathname, new Headers(headers)]))
    },
    /** What is to be kept of this build, for `pages.json`; the same whichever pages were taken. */
    toJson(): string {
      const pages = Object.fromEntries(Object.entries(next).sort(([a], [b]) => (a < b ? -1 : 1)))
      return JSON.stringify({ assets, pages } satisfies z.output<typeof keptSchema>)
    },
  }
}

function readKept(folder: string) {
  const file = buildFiles(folder).pages
  return existsSync(file) ? keptSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined
}

/** What was bundled for browsers, wherever in a build that is not finished it lies. */
function listAssets(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const names = files.filter((item) => item.isFile() && basename(item.parentPath) === assetFolder)
  return [...new Set(names.map(({ name }) => name))].sort()
}

/** With its placeholders, if it has any. */
function asWritten(folder: string, name: string): string {
  const { narrated, client } = buildFiles(folder)
  const written = join(narrated, name)
  return existsSync(written) ? written : join(client, name)
}
