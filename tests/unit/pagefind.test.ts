import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { indexFiles } from '../../src/build/index-files.ts'
import { toEtag } from '../../src/build/packed-forms.ts'
import { openPagefind } from '../../src/build/pagefind.ts'
import { sha256 } from '../../src/core/sha256.ts'
import type { StaticManifest } from '../../src/http/static/static-manifest.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'farthing-pagefind-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const toHtml = (name: string, words: string): string =>
  `<html lang="en"><title>${name}</title><main data-pagefind-body><h1>${name}</h1>${words}</main></html>`
/** A page that belongs into no index. */
const list = '<html lang="en"><title>All</title><main>coins, mice and other lists</main></html>'

/** The HTML of pages by name, without `/index.html`. */
type Pages = Readonly<Record<string, string>>

const pages: Pages = {
  a: toHtml('a', 'coins and harbours'),
  'b/c': toHtml('b/c', 'a lantern in the harbour'),
  d: toHtml('d', 'the price of coins'),
  e: toHtml('e', 'mice'),
  list,
}
const toName = (page: string): string => `${page}/index.html`
const clientOf = (site: string): string => join(folder, site, 'client')

/** Writes pages, and describes each as what was rendered for it. */
const writePages = (site: string, some: Pages) =>
  Object.entries(some).map(([page, html]) => {
    const file = join(clientOf(site), toName(page))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, html)
    return [toName(page), { etag: toEtag(Buffer.from(html)), html }] as const
  })

/** Makes the index of pages that are rendered one after the other, without an earlier build. */
async function make(site: string, some: Pages, order: readonly string[] = Object.keys(some)) {
  const pagefind = openPagefind({ client: clientOf(site) })
  pagefind.expect({ names: Object.keys(some).map(toName), isChanged: true })
  const rendered = new Map(writePages(site, some))
  for (const page of order) pagefind.show(toName(page), rendered.get(toName(page)))
  pagefind.begin()
  const files = await pagefind.write()
  return { files, indexed: pagefind.indexed() }
}

/** Opens Pagefind for a site that follows a finished build. */
async function openAfter(
  site: string,
  earlier: string,
  indexed: readonly string[],
  alter = (manifest: StaticManifest): StaticManifest => manifest,
) {
  const manifest = alter(await indexFiles(clientOf(earlier), new Map()))
  const pagefind = openPagefind({ client: clientOf(site), earlier: { folder: join(folder, earlier), manifest } })
  const expectPages = (some: Pages, isChanged = true) =>
    pagefind.expect({ names: Object.keys(some).map(toName), indexed: new Set(indexed), isChanged })
  return { ...pagefind, expectPages }
}

const listFragments = (site: string): string[] => readdirSync(join(clientOf(site), 'pagefind/fragment'))

/** The digest of every file of an index, by name. */
const readIndex = (site: string): Record<string, string> => {
  const index = join(clientOf(site), 'pagefind')
  return Object.fromEntries(
    readdirSync(index, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile() && !/\.(?:br|gz)$/.test(item.name))
      .map((item) => join(item.parentPath, item.name))
      .map((file) => [file.slice(index.length + 1), sha256(readFileSync(file))]),
  )
}

// One file system lists files by their names, the other in the order in which they came.
it.each([tmpdir(), '/dev/shm'].filter((place) => existsSync(place)))(
  'is the same for the same pages, in whatever order they were rendered (in %s)',
  async (place) => {
    rmSync(folder, { recursive: true })
    folder = mkdtempSync(join(place, 'farthing-pagefind-'))
    const names = [...Array.from({ length: 70 }, (_, number) => `post-${number}`), 'tags/[odd], {name}']
    const some = Object.fromEntries(names.map((name) => [name, toHtml(name, `${name} about coins`)]))
    const indexes: unknown[] = []
    for (const order of [names, names.toReversed(), names.toSorted(), [...names.slice(5), ...names.slice(0, 5)]]) {
      const site = `site-${indexes.length}`
      const { files } = await make(site, Object.fromEntries(order.map((name) => [name, some[name] ?? ''])), order)
      expect(listFragments(site)).toHaveLength(names.length)
      expect([...files.keys()].sort()).toEqual(
        Object.keys(readIndex(site))
          .map((file) => `pagefind/${file}`)
          .sort(),
      )
      indexes.push(readIndex(site))
    }
    for (const index of indexes) expect(index).toEqual(indexes[0])
  },
)

it('contains the pages that say so, and no user interface of Pagefind', async () => {
  const { indexed, files } = await make('site', pages)
  expect(indexed).toEqual(['a', 'b/c', 'd', 'e'].map(toName))
  expect(listFragments('site')).toHaveLength(4)
  expect([...files.keys()].filter((name) => /-ui|highlight/.test(name))).toEqual([])
})

it('of a site without pages is there all the same, because the search page loads it', async () => {
  const { files } = await make('empty', { list })
  expect([...files.keys()]).toContain('pagefind/pagefind.js')
})

it('says of each file what it was written with', async () => {
  const { files } = await make('site', pages)
  for (const [name, { etag, size }] of files) {
    const bytes = readFileSync(join(clientOf('site'), name))
    expect([name, etag, size]).toEqual([name, toEtag(bytes), bytes.length])
  }
})

describe('after an earlier build', () => {
  const { d, ...withoutD } = pages
  const { e, ...withoutE } = pages
  it.each<[string, Pages, Pages]>([
    ['a page that changed', { ...pages, 'b/c': toHtml('b/c', 'no lantern') }, pages],
    ['the first page, changed', { ...pages, a: toHtml('a', 'no coins') }, pages],
    ['a page between others', pages, withoutD],
    ['a page at the end', pages, withoutE],
    ['a page that is gone', withoutD, pages],
    ['a page that no longer belongs into it', { ...pages, d: list }, pages],
    ['a page that belongs into it by now', pages, { ...pages, d: list }],
  ])('is the same as one made from nothing, with %s', async (_, now, before) => {
    const { indexed } = await make('before', before)
    const { indexed: expected } = await make('scratch', now)
    const pagefind = await openAfter('now', 'before', indexed)
    pagefind.expectPages(now)
    // As the build does: pages are taken from the earlier one, the others are rendered, those of the index first.
    const changed = writePages('now', now).filter(([name, { etag }]) => {
      const file = join(clientOf('before'), name)
      return !existsSync(file) || toEtag(readFileSync(file)) !== etag
    })
    const isFirst = ([name]: (typeof changed)[number]) => pagefind.isAwaited(name)
    for (const [name, page] of changed.filter(isFirst)) pagefind.show(name, page)
    pagefind.begin()
    for (const [name, page] of changed.filter((page) => !isFirst(page))) pagefind.show(name, page)
    await pagefind.write()
    expect(readIndex('now')).toEqual(readIndex('scratch'))
    expect(pagefind.indexed()).toEqual(expected)
  })

  it('takes the files that are the same, because the disk takes longer for a new one', async () => {
    const { indexed } = await make('before', pages)
    const now = { ...pages, 'b/c': toHtml('b/c', 'no lantern') }
    const pagefind = await openAfter('now', 'before', indexed)
    pagefind.expectPages(now)
    const changed = toName('b/c')
    pagefind.show(changed, new Map(writePages('now', now)).get(changed))
    pagefind.begin()
    await pagefind.write()
    const inode = (site: string) => (name: string) => statSync(join(clientOf(site), 'pagefind/fragment', name)).ino
    const same = listFragments('now').filter((name) => listFragments('before').includes(name))
    expect(same).toHaveLength(3)
    expect(same.map(inode('now'))).toEqual(same.map(inode('before')))
  })

  it('reads a page anew that is missing in the earlier build', async () => {
    const { indexed } = await make('before', pages)
    const pagefind = await openAfter('now', 'before', indexed)
    rmSync(join(clientOf('before'), toName('d')))
    pagefind.expectPages(pages)
    pagefind.show(toName('d'), new Map(writePages('now', pages)).get(toName('d')))
    pagefind.begin()
    await pagefind.write()
    expect(readIndex('now')).toEqual(readIndex('before'))
  })

  it('is whole where it was begun, and all pages turn out to be the same', async () => {
    const { files, indexed } = await make('before', pages)
    // What was taken, and not written, would show by this.
    const tag = '"of before"'
    const pagefind = await openAfter('now', 'before', indexed, ({ '/pagefind/pagefind.js': script, ...others }) => ({
      ...others,
      ...(script && { '/pagefind/pagefind.js': { ...script, etag: tag } }),
    }))
    // An address that answers with a redirect is expected to be a page in each build.
    pagefind.expectPages({ ...pages, moved: '' })
    writePages('now', pages)
    pagefind.show(toName('moved'), undefined)
    pagefind.begin()
    expect(await pagefind.write(true)).toEqual(files)
    expect(readIndex('now')).toEqual(readIndex('before'))
  })

  it('is taken where all pages are the same, or made where a file of it is missing', async () => {
    const { files, indexed } = await make('before', pages)
    const take = async (site: string) => {
      const pagefind = await openAfter(site, 'before', indexed)
      if (site === 'damaged') rmSync(join(clientOf('before'), 'pagefind/fragment'), { recursive: true })
      pagefind.expectPages(pages, false)
      writePages(site, pages)
      pagefind.begin()
      return pagefind.write(true)
    }
    const index = readIndex('before')
    expect(await take('same')).toEqual(files)
    expect(await take('damaged')).toEqual(files)
    expect([readIndex('same'), readIndex('damaged')]).toEqual([index, index])
    const inode = (site: string) => statSync(join(clientOf(site), 'pagefind/pagefind.js')).ino
    expect(inode('same')).toBe(inode('before'))
  })
})

it.each([true, false])(
  'fails when Pagefind ends early, which its library would wait for without end, and is not tried again (begun: %s)',
  async (isBegun) => {
    const program = join(folder, 'pagefind')
    writeFileSync(program, `#!/bin/sh\necho >>'${folder}/starts'\nhead -c 1 >/dev/null\nexit 101\n`, { mode: 0o700 })
    vi.stubEnv('PAGEFIND_EXTENDED_BINARY_PATH', program)
    const pagefind = openPagefind({ client: clientOf('dying') })
    pagefind.expect({ names: Object.keys(pages).map(toName), isChanged: isBegun })
    for (const [name, page] of writePages('dying', pages)) pagefind.show(name, page)
    pagefind.begin()
    await expect(pagefind.write()).rejects.toThrow('Pagefind ended with 101')
    expect(readFileSync(join(folder, 'starts'), 'utf8')).toBe('\n')
  },
)
