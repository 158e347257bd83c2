import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import { placeFile } from './images/page-image.ts'
import type { PagefindTask, PlacedPage, WrittenIndex } from './run-pagefind.ts'
import { openThreads } from './threads/open-threads.ts'

/** How many pages are read at a time, because each message to a thread interrupts both. */
const batch = 32

/** Where Pagefind's index lies among the client files. */
export const pagefindFolder = 'pagefind'

const isOfPagefind = (name: string): boolean => name.startsWith(`${pagefindFolder}/`)

/** Whether a page belongs into the index. */
const isIndexed = (html: string): boolean => html.includes('data-pagefind-body')

/** A page of a build. */
export interface ShownPage {
  readonly etag: string
  readonly html: string
}

/** The pages that a build will have, and what is known of them from an earlier one. */
export interface ExpectedPages {
  /** Their files, below the client folder. */
  readonly names: readonly string[]
  /** Those of the earlier build that are in its index; undefined when nothing is known. */
  readonly indexed?: ReadonlySet<string> | undefined
  /** Whether one of them differs from the earlier build, or is gone. */
  readonly isChanged: boolean
}

/**
 * What is known of a page: it is still to be rendered, it was in the index of the earlier build and is taken to be in
 * this one, it is written and in the index, or it is not in the index.
 */
type State = 'awaited' | 'earlier' | 'written' | 'left out'

interface Options {
  /** The folder of the client files. */
  readonly client: string
  /** A build by the same code. */
  readonly earlier?: Pick<Build, 'folder' | 'manifest'> | undefined
}

/**
 * Makes Pagefind's index of all pages, for the search page. Pagefind takes as long as rendering some hundred pages, so
 * it reads those of the earlier build at once, and each other one when it was rendered. It numbers pages as it reads
 * them, so they are added in the order of their names: the index depends on what the pages contain and on nothing else.
 *
 * @example
 * const pagefind = openPagefind({ client, earlier })
 * pagefind.expect({ names: ['posts/a/index.html', 'posts/b/index.html'], isChanged: true })
 * pagefind.show('posts/b/index.html', { etag, html })
 * pagefind.show('posts/a/index.html', undefined)
 * pagefind.begin()
 * const files = await pagefind.write()
 */
export function openPagefind({ client, earlier }: Options) {
  const { run } = openThreads<PagefindTask, WrittenIndex>(new URL('threads/pagefind-thread.ts', import.meta.url), 1)
  const before = earlier && toEarlier(earlier)
  const folders = { earlier: before?.client, written: client, awaited: undefined, 'left out': undefined }
  const states = new Map<string, State>()
  /** The pages in the order of the index. */
  let names: readonly string[] = []
  /** Those of them that were added or left out. */
  const passed = new Set<string>()
  /** Whether Pagefind has all pages that belong into the index, as far as they are known, and no others. */
  let isSound = false
  const waiting: PlacedPage[] = []
  let isBegun = false
  let sent: Promise<WrittenIndex>[] = []

  function send(task: PagefindTask): void {
    const done = run(task)
    // `write` reports it.
    done.catch(() => {})
    sent.push(done)
  }

  /** Adds the pages that wait for others, so that they are read together. */
  function addWaiting(): void {
    if (waiting.length > 0) send({ is: 'add', pages: waiting.splice(0) })
  }

  function addNext(): void {
    for (let name = names[passed.size]; name !== undefined; name = names[passed.size]) {
      const state = states.get(name) ?? 'left out'
      if (state === 'awaited') break
      passed.add(name)
      const folder = folders[state]
      if (folder !== undefined) waiting.push({ folder, name })
    }
    if (waiting.length >= batch) addWaiting()
  }

  const listIndexed = (): string[] => names.filter((name) => folders[states.get(name) ?? 'left out'] !== undefined)

  function sendWrite(): void {
    isBegun = true
    send({ is: 'write', folder: join(client, pagefindFolder), earlier: before?.index })
  }

  /** Takes the index from the earlier build; undefined where files of it are missing. */
  function takeIndex(): WrittenIndex | undefined {
    // Only listed files are taken here; `openFileIndex` takes their compressed forms with those of all other files.
    const files = Object.values(earlier?.manifest ?? {}).filter(({ file }) => isOfPagefind(file))
    const places = files.map(({ file }) => ({ from: join(before?.client ?? '', file), to: join(client, file) }))
    if (places.length === 0 || !places.every(({ from }) => existsSync(from))) return undefined
    for (const parent of new Set(places.map(({ to }) => dirname(to)))) mkdirSync(parent, { recursive: true })
    for (const { from, to } of places) placeFile(from, to)
    return new Map(files.map(({ file, etag, size }) => [file, { etag, size }]))
  }

  return {
    /** Tells which pages the build will have. Pagefind is started if the index will differ. */
    expect({ names: all, indexed, isChanged }: ExpectedPages): void {
      names = [...new Set(all)].sort()
      const toState = (name: string): State => {
        if (indexed === undefined || !before?.etags.has(name)) return 'awaited'
        if (!indexed.has(name)) return 'left out'
        return existsSync(join(before.client, name)) ? 'earlier' : 'awaited'
      }
      for (const name of names) states.set(name, toState(name))
      isSound = isChanged
      if (isChanged) addNext()
    },
    /** Whether Pagefind needs a page, if it has changed; those should be rendered first. */
    isAwaited: (name: string): boolean => (states.get(name) ?? 'left out') !== 'left out',
    /**
     * Tells what was rendered for an expected page. It is written before.
     *
     * @param page undefined when it is no page
     */
    show(name: string, page: ShownPage | undefined): void {
      const state = states.get(name)
      const isIn = page !== undefined && isIndexed(page.html)
      const isKnown = state === 'earlier' && isIn && before?.etags.get(name) === page.etag
      if (isKnown || (state === 'left out' && !isIn)) return
      states.set(name, isIn ? 'written' : 'left out')
      if (!isSound) return
      if (!passed.has(name)) addNext()
      else if (isBegun || isIn !== (state === 'earlier')) isSound = false
      else if (isIn) {
        addWaiting()
        send({ is: 'replace', page: { folder: client, name } })
      }
    },
    /** Starts to make the index. Call it when all pages that are awaited were shown; others may follow. */
    begin(): void {
      if (!isSound) return
      for (const name of names.slice(passed.size)) if (states.get(name) === 'awaited') states.set(name, 'left out')
      addNext()
      addWaiting()
      sendWrite()
    },
    /** The files of the pages in the index, sorted. */
    indexed: listIndexed,
    /**
     * Writes the index among the client files, where all pages must be by now.
     *
     * @param isSame whether all pages are those of the earlier build, from which the index is taken then
     * @returns the files of the index, by name
     * @throws Error when it cannot be made
     */
    async write(isSame = false): Promise<WrittenIndex> {
      if (!isSound || !isBegun) {
        const taken = isSame ? takeIndex() : undefined
        if (taken) return taken
        sent = []
        send({ is: 'drop' })
        send({ is: 'add', pages: listIndexed().map((name) => ({ folder: client, name })) })
        sendWrite()
      }
      const [index = []] = (await Promise.all(sent)).slice(-1)
      return new Map(Array.from(index, ([path, file]) => [`${pagefindFolder}/${path}`, file]))
    },
  }
}

/** What is needed of an earlier build. */
function toEarlier({ folder, manifest }: Pick<Build, 'folder' | 'manifest'>) {
  const { client } = buildFiles(folder)
  const etags = new Map(Object.values(manifest).map(({ file, etag }) => [file, etag]))
  const ofIndex = [...etags].filter(([name]) => isOfPagefind(name))
  return {
    client,
    etags,
    index: {
      folder: join(client, pagefindFolder),
      etags: new Map(ofIndex.map(([name, etag]) => [name.slice(pagefindFolder.length + 1), etag])),
    },
  }
}
