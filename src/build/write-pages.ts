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
import type { ShownPage } from './pagefind.ts'

interface Options {
  readonly outDir: string
  /** The address of the site. */
  readonly baseUrl: string
  /** The names of the files of `public/`, which win over pages of the same name. */
  readonly publicFiles: ReadonlySet<string>
  /** Which files of pages are written first, in the order of their names. */
  readonly isFirst: (name: string) => boolean
  /** Called when the first pages are written, before another one is. */
  readonly onFirst: () => void
  /** Called when a page was rendered; without it where it answers with a redirect or nothing, and no file is written. */
  readonly onPage: (name: string, page: ShownPage | undefined) => void
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
  { outDir, baseUrl, publicFiles, isFirst, onFirst, onPage, packer }: Options,
): Promise<WrittenPages> {
  const { client, narrated } = buildFiles(outDir)
  const written = new Map<string, WrittenPage>()
  const files = new Map<string, WrittenFile>()
  const redirects: Path[] = []
  const place = openPlaces()

  const writePage = async (path: Path): Promise<ShownPage | undefined> => {
    const { pathname, route } = path
    const address = toAddress(pathname)
    const request = new Request(new URL(encodeURI(address), baseUrl))
    const rendered = await prerenderer.render(request, { routeData: route })
    const response = rendered instanceof Response ? rendered : rendered.response
    if (response.status >= 300 && response.status < 400) {
      redirects.push(path)
      return undefined
    }
    if (!response.body) return undefined
    const { headers } = response
    const type = headers.get('content-type') ?? ''
    const { body, withPlaceholders } = await readForms(response, type)
    const isPacked = isCompressible(type) && isServed(address)
    const html = isPacked ? (withPlaceholders ?? body.toString()) : ''
    written.set(pathname, { headers, shown: findShown(html) })
    const name = nameOf(path)
    if (publicFiles.has(name)) return undefined
    if (withPlaceholders !== undefined && isServed(address))
      place(join(narrated, toPlaceholdersFile(name)), withPlaceholders)
    place(join(client, name), body)
    if (!isPacked) return undefined
    const etag = packer.begin(body)
    files.set(name, { etag, size: body.length })
    return { etag, html }
  }

  const paths = new Map<string, Path>()
  for (const path of await prerenderer.getStaticPaths()) {
    const address = toAddress(path.pathname)
    if (!paths.has(address)) paths.set(address, path)
  }
  const writeAll = async (some: readonly Path[]): Promise<void> => {
    const queue = some.values()
    const work = async () => {
      for (const path of queue) {
        const page = await writePage(path)
        const name = nameOf(path)
        if (isPage(path) && !publicFiles.has(name)) onPage(name, page)
        // Rendering and writing alone would let no message of threads in before the last page.
        await nextTurn()
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }
  const { first = [], rest = [] } = Object.groupBy(paths.values(), (path) =>
    isPage(path) && isFirst(nameOf(path)) ? 'first' : 'rest',
  )
  await writeAll(first.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)))
  onFirst()
  await writeAll(rest)
  return { pages: written, files, redirects }
}

const isPage = ({ pathname, route }: Path): boolean => route.type === 'page' && isServed(pathname)
const nameOf = ({ pathname, route }: Path): string => toFile(pathname, route.type)

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
