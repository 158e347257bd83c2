import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AstroPrerenderer } from 'astro'
import { isCompressible } from '../http/static/content-type.ts'
import { buildFiles } from '../storage/build-folder.ts'
import { findShown } from './images/astro-pictures.ts'
import type { WrittenFile } from './index-files.ts'
import type { Packer } from './packed-forms.ts'
import { toPageForms } from './page-forms.ts'
import { isServed, type Path, toAddress, toFile, toPlaceholdersFile } from './page-places.ts'

interface Options {
  readonly outDir: string
  /** The address of the site. */
  readonly baseUrl: string
  /** The names of the files of `public/`, which win over pages of the same name. */
  readonly publicFiles: ReadonlySet<string>
  /** Which pages are rendered first. */
  readonly isFirst: (path: Path) => boolean
  /** Called when the first pages are written, before another one is. */
  readonly onFirst: () => void
  /** The folder into which all other HTML pages are written. */
  readonly waiting: string
  /** Compresses pages while others are rendered. */
  readonly packer: Pick<Packer, 'begin'>
}

/** A page that was written. */
interface WrittenPage {
  /** The headers of its response. */
  readonly headers: Headers
  /** What it shows of the asset folder (`findShown`), if it is a text that is served. */
  readonly shown: readonly string[]
}

/** What was written, and what was left. */
export interface WrittenPages {
  /** The pages by path. */
  readonly pages: ReadonlyMap<string, WrittenPage>
  /** Files of pages by name, as far as they are compressed. */
  readonly files: ReadonlyMap<string, WrittenFile>
  /** The pages that answer with a redirect. They are not written. */
  readonly redirects: readonly Path[]
}

/** How many pages are rendered at a time, for those that wait for something. */
const concurrency = 8

/**
 * Renders every page and writes it where Astro would with our configuration: pages are folders, addresses have no
 * trailing slash, and of two pages for one address the first wins. A page with placeholders is written a second time,
 * for the running site (`toPageForms`).
 */
export async function writePages(
  prerenderer: AstroPrerenderer,
  { outDir, baseUrl, publicFiles, isFirst, onFirst, waiting, packer }: Options,
): Promise<WrittenPages> {
  const { client, narrated } = buildFiles(outDir)
  const written = new Map<string, WrittenPage>()
  const files = new Map<string, WrittenFile>()
  const redirects: Path[] = []
  const place = openPlaces()

  const writePage = async (path: Path, pages: string): Promise<void> => {
    const { pathname, route } = path
    const address = toAddress(pathname)
    const request = new Request(new URL(encodeURI(address), baseUrl))
    const rendered = await prerenderer.render(request, { routeData: route })
    const response = rendered instanceof Response ? rendered : rendered.response
    if (response.status >= 300 && response.status < 400) {
      redirects.push(path)
      return
    }
    if (!response.body) return
    const { headers } = response
    const type = headers.get('content-type') ?? ''
    const { body, withPlaceholders } = await readForms(response, type)
    const isPacked = isCompressible(type) && isServed(address)
    written.set(pathname, { headers, shown: isPacked ? findShown(withPlaceholders ?? body.toString()) : [] })
    const name = toFile(pathname, route.type)
    if (publicFiles.has(name)) return
    if (withPlaceholders !== undefined && isServed(address))
      place(join(narrated, toPlaceholdersFile(name)), withPlaceholders)
    place(join(route.type === 'page' ? pages : client, name), body)
    if (isPacked) files.set(name, { etag: packer.begin(body), size: body.length })
  }

  const paths = new Map<string, Path>()
  for (const path of await prerenderer.getStaticPaths()) {
    const address = toAddress(path.pathname)
    if (!paths.has(address)) paths.set(address, path)
  }
  const writeAll = async (some: readonly Path[], pages: string): Promise<void> => {
    const queue = some.values()
    const work = async () => {
      for (const path of queue) {
        await writePage(path, pages)
        // Rendering and writing alone would let no message of threads and Pagefind in before the last page.
        await nextTurn()
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }
  const { first = [], rest = [] } = Object.groupBy(paths.values(), (path) => (isFirst(path) ? 'first' : 'rest'))
  await writeAll(first, client)
  onFirst()
  await writeAll(rest, waiting)
  return { pages: written, files, redirects }
}

/** The bytes of a response. `arrayBuffer` would copy them twice, and some are as long as all posts together. */
async function readBytes({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = await Array.fromAsync(body ?? [])
  const [only, ...others] = chunks
  return only && others.length === 0 ? Buffer.from(only.buffer, only.byteOffset, only.length) : Buffer.concat(chunks)
}

/** The body of a response as it is served, and the page with its placeholders if it has some. */
async function readForms(response: Response, type: string): Promise<{ body: Buffer; withPlaceholders?: string }> {
  if (!type.startsWith('text/html')) return { body: await readBytes(response) }
  const { served, ...others } = toPageForms(await response.text())
  return { body: Buffer.from(served), ...others }
}

/** Makes a function that writes a file, and its folder if need be. It waits for the disk, which takes less time here. */
function openPlaces() {
  const folders = new Set<string>()
  return (file: string, content: Buffer | string): void => {
    const folder = dirname(file)
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true })
    folders.add(folder)
    writeFileSync(file, content)
  }
}
