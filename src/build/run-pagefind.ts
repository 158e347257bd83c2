import { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { close, createIndex, type PagefindIndex } from 'pagefind'
import { z } from 'zod'
import { placeFile } from './images/page-image.ts'
import type { WrittenFile } from './index-files.ts'
import { toEtag } from './packed-forms.ts'

/** A page below a folder with pages. */
export interface PlacedPage {
  readonly folder: string
  readonly name: string
}

/** The files of an index. */
interface IndexFolder {
  readonly folder: string
  /** Their entity tags, by path below the folder. */
  readonly etags: ReadonlyMap<string, string>
}

/** What Pagefind is to do next. */
export type PagefindTask =
  /** Reads pages, which the index numbers in this order. */
  | { readonly is: 'add'; readonly pages: readonly PlacedPage[] }
  /** Reads another form of a page that was added. Its number stays. */
  | { readonly is: 'replace'; readonly page: PlacedPage }
  /** Forgets all pages. */
  | { readonly is: 'drop' }
  /** Writes the index of all pages into a folder, and forgets the pages. */
  | { readonly is: 'write'; readonly folder: string; readonly earlier: IndexFolder | undefined }

/** The files that were written, by path below the folder. */
export type WrittenIndex = ReadonlyMap<string, WrittenFile>

/** Files of Pagefind that no page uses: user interfaces and a highlighter. */
const unused = new Set(
  ['pagefind-ui', 'pagefind-modular-ui', 'pagefind-component-ui', 'pagefind-highlight'].flatMap((name) => [
    `${name}.js`,
    `${name}.css`,
  ]),
)

interface Running {
  readonly index: PagefindIndex
  /** Rejects when its process ends. */
  readonly ended: Promise<never>
}

let running: Promise<Running> | undefined
let failed: { readonly error: unknown } | undefined

/**
 * Has Pagefind do a task; its library can run one process in each thread. A task begins once the one before is done.
 *
 * @returns what a task of writing has written
 * @throws Error when Pagefind reports one or ends; the next tasks fail the same way, until it is told to drop all pages
 */
export async function doPagefindTask(task: PagefindTask): Promise<WrittenIndex> {
  if (task.is === 'drop') {
    await end()
    failed = undefined
    return new Map()
  }
  if (failed) throw failed.error
  try {
    if (task.is === 'write') return await writeIndex(task)
    if (task.is === 'add') await addPages(task.pages)
    else await replacePage(task.page)
    return new Map()
  } catch (error) {
    failed = { error }
    await end()
    throw error
  }
}

async function end(): Promise<void> {
  running = undefined
  await close()
}

/**
 * Starts Pagefind. Its library would wait for ever for a process that ends early, as Pagefind does on a full disk, so
 * the end of the process is watched here.
 */
async function start(): Promise<Running> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const watch = (message: unknown) => {
    const { process } = z.object({ process: z.instanceof(ChildProcess) }).parse(message)
    process.once('exit', (code, signal) => reject(new Error(`Pagefind ended with ${code ?? signal}`)))
  }
  // The library starts the process within this call, and tells nobody which it is.
  subscribe('child_process', watch)
  const created = createIndex()
  unsubscribe('child_process', watch)
  // The process is ended once its work is done, too.
  ended.catch(() => {})
  const { index, errors } = await Promise.race([created, ended])
  refuseErrors(errors)
  if (!index) throw new Error('Pagefind made no index')
  return { index, ended }
}

async function run<Result>(work: (index: PagefindIndex) => Promise<Result>): Promise<Result> {
  running ??= start()
  const { index, ended } = await running
  return Promise.race([work(index), ended])
}

/**
 * Each page is a message of its own, because Pagefind numbers the pages of a folder in the order of the file system,
 * which differs from one to the next. It keeps the order of messages.
 */
const addPages = (pages: readonly PlacedPage[]): Promise<unknown> =>
  run((index) =>
    Promise.all(
      pages.map(async ({ folder, name }) => {
        const { errors, page_count: count } = await index.addDirectory({ path: folder, glob: toLiteral(name) })
        refuseErrors(errors)
        if (count !== 1) throw new Error(`Pagefind does not find ${name} in ${folder}`)
      }),
    ),
  )

/** A glob that finds the file with a name and no other. */
const toLiteral = (name: string): string => name.replace(/[?*$:<>()[\]{},\\]/g, '\\$&')

const replacePage = ({ folder, name }: PlacedPage): Promise<void> =>
  run(async (index) => {
    const { errors } = await index.addHTMLFile({
      sourcePath: name,
      content: readFileSync(join(folder, name), 'utf8'),
    })
    refuseErrors(errors)
  })

/**
 * Takes the files of an earlier index that are the same, because most describe one page each, and the disk needs more
 * time for a new file than for a second name of one. For the same reason Pagefind does not write them itself.
 */
async function writeIndex({ folder, earlier }: Extract<PagefindTask, { is: 'write' }>): Promise<WrittenIndex> {
  const { errors, files } = await run((index) => index.getFiles())
  await end()
  refuseErrors(errors)
  // An index that turned out to lack a page may be there.
  rmSync(folder, { recursive: true, force: true })
  const written = new Map<string, WrittenFile>()
  const folders = new Set<string>()
  for (const { path, content } of files.filter((file) => !unused.has(file.path))) {
    const place = join(folder, path)
    if (!folders.has(dirname(place))) mkdirSync(dirname(place), { recursive: true })
    folders.add(dirname(place))
    const etag = toEtag(content)
    const same = earlier?.etags.get(path) === etag ? join(earlier.folder, path) : undefined
    if (same !== undefined && existsSync(same)) placeFile(same, place)
    else writeFileSync(place, content)
    written.set(path, { etag, size: content.length })
  }
  return written
}

function refuseErrors(errors: readonly string[]): void {
  if (errors.length > 0) throw new Error(`Pagefind: ${errors.join(', ')}`)
}
