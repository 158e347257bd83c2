import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openPagefind } from '../../src/build/pagefind.ts'
import { sha256 } from '../../src/core/sha256.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'farthing-pagefind-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const writePage = (site: string, name: string, words: string) => {
  const file = join(folder, site, 'client', name, 'index.html')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(
    file,
    `<html lang="en"><title>${name}</title><main data-pagefind-body><h1>${name}</h1>${words}</main></html>`,
  )
}
const writeList = (site: string, name: string) => {
  const file = join(folder, site, 'client', name, 'index.html')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '<html lang="en"><title>All</title><main>coins, mice and other lists</main></html>')
}
const pages = { a: 'coins and harbours', 'b/c': 'a lantern in the harbour', d: 'the price of coins', e: 'mice' }
const writePages = (site: string, names: readonly (keyof typeof pages)[]) => {
  for (const name of names) writePage(site, name, pages[name])
}
const open = (site: string) => openPagefind(join(folder, site, 'client'))

const listFragments = (site: string): string[] => readdirSync(join(folder, site, 'client/pagefind/fragment'))

/** The digest of every file of an index, by name. */
const readIndex = (site: string): Record<string, string> => {
  const index = join(folder, site, 'client/pagefind')
  return Object.fromEntries(
    readdirSync(index, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile())
      .map((item) => join(item.parentPath, item.name))
      .map((file) => [file.slice(index.length + 1), sha256(readFileSync(file))]),
  )
}

/** Not before Pagefind has read the folder, which takes it some milliseconds for these pages. */
const waitForPagefind = () => new Promise((resolve) => setTimeout(resolve, 1_500))

// One file system lists files by their names, the other in the order in which they came.
it.each([tmpdir(), '/dev/shm'].filter((place) => existsSync(place)))(
  'is the same for the same pages, in whatever order they were written (in %s)',
  async (place) => {
    rmSync(folder, { recursive: true })
    folder = mkdtempSync(join(place, 'farthing-pagefind-'))
    const names = [...Array.from({ length: 12 }, (_, number) => `post-${number}`), 'tags/[odd], {name}']
    const indexes: unknown[] = []
    for (const order of [names, names.toReversed(), names.toSorted(), [...names.slice(5), ...names.slice(0, 5)]]) {
      const site = `site-${indexes.length}`
      for (const name of order) writePage(site, name, `${name} about coins`)
      await open(site).write()
      expect(listFragments(site)).toHaveLength(names.length)
      indexes.push(readIndex(site))
    }
    for (const index of indexes) expect(index).toEqual(indexes[0])
  },
)

it('begun before lists come gives the same index as afterwards, because lists are not in it', async () => {
  writePages('late', ['a', 'b/c', 'd'])
  writeList('late', 'all')
  await open('late').write()
  writePages('early', ['a', 'b/c', 'd'])
  const pagefind = open('early')
  pagefind.begin()
  await waitForPagefind()
  writeList('early', 'all')
  await pagefind.write(true)
  expect(listFragments('early')).toHaveLength(3)
  expect(readIndex('early')).toEqual(readIndex('late'))
})

it('begun too early begins anew', async () => {
  writePages('late', ['a', 'b/c', 'd', 'e'])
  await open('late').write()
  writePages('early', ['a', 'd'])
  const pagefind = open('early')
  pagefind.begin()
  await waitForPagefind()
  writePages('early', ['b/c', 'e'])
  await pagefind.write()
  expect(listFragments('early')).toHaveLength(4)
  expect(readIndex('early')).toEqual(readIndex('late'))
})

it('fails when Pagefind ends early, which its library would wait for without end', async () => {
  const program = join(folder, 'pagefind')
  writeFileSync(program, '#!/bin/sh\nhead -c 1 >/dev/null\nexit 101\n', { mode: 0o700 })
  vi.stubEnv('PAGEFIND_EXTENDED_BINARY_PATH', program)
  writePages('dying', ['a'])
  const pagefind = open('dying')
  await expect(pagefind.write()).rejects.toThrow('Pagefind ended with 101')
  pagefind.begin()
  await waitForPagefind()
  await expect(pagefind.write(true)).rejects.toThrow('Pagefind ended with 101')
})
