import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AstroPrerenderer } from 'astro'
import { buildFiles } from '../../storage/build-folder.ts'
import { type Path, toAddress, toFile } from '../page-places.ts'

interface Options {
  /** The repository. */
  readonly root: string
  readonly outDir: string
  /** The address of the site. */
  readonly baseUrl: string
  /** Which pages are rendered first. */
  readonly isFirst: (path: Path) => boolean
  /** Called when the first pages are written, before another one is. */
  readonly onFirst: () => Promise<void>
  /** The folder into which all other HTML pages are written. */
  readonly waiting: string
}

/** The `concurrency` of astro.config.mjs. */
const concurrency = 8

/**
 * Renders every page and writes it as Astro does with our configuration: pages are folders, addresses have no trailing
 * slash, and of two pages for one address the first wins.
 *
 * @returns the response headers of each page, by path
 * @throws Error for a redirect
 */
export async function writePages(
  prerenderer: AstroPrerenderer,
  { root, outDir, baseUrl, waiting, isFirst, onFirst }: Options,
): Promise<Map<string, { readonly headers: Headers }>> {
  const { client } = buildFiles(outDir)
  const written = new Map<string, { readonly headers: Headers }>()
  const writePage = async ({ pathname, route }: Path, pages: string): Promise<void> => {
    const request = new Request(new URL(encodeURI(toAddress(pathname)), baseUrl))
    const rendered = await prerenderer.render(request, { routeData: route })
    const response = rendered instanceof Response ? rendered : rendered.response
    if (response.status >= 300 && response.status < 400)
      throw new Error(`${pathname} is a redirect, which only a whole build can write`)
    if (!response.body) return
    const body = Buffer.from(await response.arrayBuffer())
    written.set(pathname, response)
    const name = toFile(pathname, route.type)
    if (existsSync(join(root, 'public', name))) return
    const file = join(route.type === 'page' ? pages : client, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, body)
  }

  const paths = new Map<string, Path>()
  for (const path of await prerenderer.getStaticPaths()) {
    const address = toAddress(path.pathname)
    if (!paths.has(address)) paths.set(address, path)
  }
  const writeAll = async (some: readonly Path[], pages: string): Promise<void> => {
    const queue = some.values()
    const work = async () => {
      for (const path of queue) await writePage(path, pages)
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }
  const { first = [], rest = [] } = Object.groupBy(paths.values(), (path) => (isFirst(path) ? 'first' : 'rest'))
  await writeAll(first, client)
  await onFirst()
  await writeAll(rest, waiting)
  return written
}
