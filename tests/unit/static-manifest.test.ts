import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeBuyerBundle } from '../../src/build/buyer-bundle.ts'
import { indexFiles, openFileIndex } from '../../src/build/index-files.ts'
import { toEtag } from '../../src/build/packed-forms.ts'
import { takeOutPrivateTexts } from '../../src/build/site-build.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'

let folder: string
const write = (name: string, content: string | Buffer) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
}
const client = () => buildFiles(folder).client
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'out-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the texts of products', () => {
  it('are neither among the public files nor in the manifest', async () => {
    write('client/index.html', 'home')
    write('client/private/llms-full.txt', 'paid')
    write('private/stale.txt', 'of an earlier build')
    await takeOutPrivateTexts(folder)
    expect(existsSync(join(client(), 'private'))).toBe(false)
    expect(readFileSync(join(folder, 'private/llms-full.txt'), 'utf8')).toBe('paid')
    expect(existsSync(join(folder, 'private/stale.txt'))).toBe(false)
    expect(Object.keys(await indexFiles(client(), new Map()))).toEqual(['/'])
  })
})

describe('the manifest', () => {
  it('lists every file by its only path', async () => {
    for (const name of ['index.html', 'a/index.html', 'a.md', '404.html', '.well-known/x', 'é b/ü.txt', 'verify.html'])
      write(`client/${name}`, 'x')
    expect(Object.keys(await indexFiles(client(), new Map())).sort()).toEqual(
      ['/', '/.well-known/x', '/404', '/a', '/a.md', '/verify.html', '/%C3%A9%20b/%C3%BC.txt'].sort(),
    )
  })

  it('refuses a file that no request could name', async () => {
    write('client/100%.txt', 'x')
    await expect(indexFiles(client(), new Map())).rejects.toThrow('rename it')
  })

  it('takes type, caching and links from the route, and no other headers', async () => {
    write('client/skills/x/install', '#!/bin/sh')
    const headers = new Headers({
      'content-type': 'text/plain',
      'cache-control': 'no-cache',
      link: '<x>',
      'set-cookie': 'a=b',
    })
    const { '/skills/x/install': entry } = await indexFiles(client(), new Map([['/skills/x/install', headers]]))
    expect(entry).toMatchObject({ type: 'text/plain', cache: 'no-cache', headers: { link: '<x>' } })
  })

  it('knows the types of public files, in any letter case', async () => {
    const typeOf = {
      'holiday.jpeg': 'image/jpeg',
      'IMG_0001.JPG': 'image/jpeg',
      'film.mp4': 'video/mp4',
      'film.webm': 'video/webm',
      'said.m4a': 'audio/mp4',
      'said.ogg': 'audio/ogg',
      'figures.csv': 'text/csv; charset=utf-8',
      'dates.ics': 'text/calendar; charset=utf-8',
      'letters.ttf': 'font/ttf',
      'book.epub': 'application/epub+zip',
      'all.zip': 'application/zip',
      'paper.PDF': 'application/pdf',
      'what.isthis': 'application/octet-stream',
    }
    for (const name of Object.keys(typeOf)) write(`client/${name}`, 'x')
    const entries = Object.entries(await indexFiles(client(), new Map()))
    expect(Object.fromEntries(entries.map(([path, { type }]) => [path.slice(1), type]))).toEqual(typeOf)
  })

  it('allows permanent caching of files with a content hash in their name, and no others', async () => {
    const hashed = [
      '_astro/search.Cq86hrl3.js',
      'podcast-artwork-aaad425681.jpg',
      'pagefind/fragment/en_1bf6ac5.pf_fragment',
      'pagefind/index/en_56ab5d4.pf_index',
      'pagefind/filter/de-ch_1486476.pf_filter',
      'pagefind/pagefind.en_e3b16e7250.pf_meta',
    ]
    const named = ['pagefind/pagefind.js', 'pagefind/pagefind-entry.json', 'pagefind/wasm.en.pagefind', 'favicon.svg']
    for (const name of [...hashed, ...named]) write(`client/${name}`, 'x')
    const manifest = await indexFiles(client(), new Map())
    expect(Object.keys(manifest).filter((path) => manifest[path]?.cache.includes('immutable'))).toEqual(
      hashed.map((name) => `/${name}`).sort(),
    )
    expect(manifest['/pagefind/pagefind-entry.json']?.cache).toContain('must-revalidate')
  })

  it('gives equal bytes equal entity tags and other bytes others, in every build', async () => {
    for (const [name, text] of [
      ['a.txt', 'same'],
      ['b.txt', 'same'],
      ['c.txt', 'other'],
    ] as const)
      write(`client/${name}`, text)
    const { '/a.txt': a, '/b.txt': b, '/c.txt': c } = await indexFiles(client(), new Map())
    expect(a?.etag).toMatch(/^"[\w-]{22}"$/)
    expect(a?.etag).toBe(b?.etag)
    expect(a?.etag).not.toBe(c?.etag)
  })

  it('has compressed representations of texts from one KiB on, and of nothing else', async () => {
    const text = 'a farthing saved '.repeat(200)
    write('client/long.txt', text)
    write('client/short.txt', 'short')
    write('client/long.mp3', text)
    write('client/noise.txt', createHash('shake256', { outputLength: 4096 }).update('x').digest())
    const manifest = await indexFiles(client(), new Map())
    expect(brotliDecompressSync(readFileSync(join(client(), 'long.txt.br'))).toString()).toBe(text)
    expect(gunzipSync(readFileSync(join(client(), 'long.txt.gz'))).toString()).toBe(text)
    expect(manifest['/long.txt']?.br).toBe(readFileSync(join(client(), 'long.txt.br')).length)
    for (const url of ['/short.txt', '/long.mp3', '/noise.txt']) expect(manifest[url]).not.toHaveProperty('br')
    expect(manifest).not.toHaveProperty('/long.txt.br')
  })
})

describe('files that are added later than others', () => {
  it('are listed as if all had been added together', async () => {
    const text = 'a farthing saved '.repeat(200)
    for (const name of ['a.html', 'a.html.md', 'late/b.txt', 'later.txt']) {
      write(`alone/${name}`, text + name)
      write(`client/${name}`, text + name)
    }
    const index = openFileIndex(client(), new Map())
    await index.add(['later.txt', 'a.html.md'])
    expect(Object.keys(index.files).sort()).toEqual(['/a.html.md', '/later.txt'])
    await index.add(['late/b.txt', 'a.html'])
    const together = await indexFiles(join(folder, 'alone'), new Map())
    expect(JSON.stringify(index.toManifest())).toBe(JSON.stringify(together))
    expect(together['/a.html']?.alternate).toBe('/a.html.md')
    expect(existsSync(join(client(), 'late/b.txt.br'))).toBe(true)
  })
})

describe('an earlier build', () => {
  it('provides compressed representations of the same bytes, under any name, and of no others', async () => {
    const text = 'a farthing saved '.repeat(200)
    for (const name of ['a.txt', 'b.txt', 'gone.txt']) write(`earlier/client/${name}`, text + name)
    const before = await indexFiles(join(folder, 'earlier/client'), new Map())
    const earlier = { folder: join(folder, 'earlier'), manifest: before }
    write('client/a.txt', `${text}a.txt`)
    write('client/moved.txt', `${text}b.txt`)
    write('client/b.txt', `${text}changed`)
    write('client/lost.txt', `${text}gone.txt`)
    rmSync(join(folder, 'earlier/client/gone.txt.gz'))
    const manifest = await indexFiles(client(), new Map(), { earlier })
    const isShared = (name: string) => statSync(join(client(), name)).nlink > 1
    expect(['a.txt.br', 'a.txt.gz', 'moved.txt.br', 'b.txt.br', 'lost.txt.br'].map(isShared)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    for (const name of ['a', 'moved', 'b', 'lost'])
      write(`alone/${name}.txt`, readFileSync(join(client(), `${name}.txt`)))
    expect(manifest).toEqual(await indexFiles(join(folder, 'alone'), new Map()))
    for (const name of ['a', 'moved', 'b', 'lost'])
      expect(gunzipSync(readFileSync(join(client(), `${name}.txt.gz`)))).toEqual(
        readFileSync(join(client(), `${name}.txt`)),
      )
  })
})

describe('a file reused from an earlier build', () => {
  it('is listed with its data from there, and with current headers', async () => {
    const text = 'a farthing saved '.repeat(200)
    write('earlier/client/a/index.html', text)
    const manifest = await indexFiles(join(folder, 'earlier/client'), new Map([['/a', new Headers({ link: '<old>' })]]))
    write('client/a/index.html', text)
    const headers = new Map([['/a', new Headers({ link: '<new>' })]])
    const known = { ...manifest['/a'], etag: '"of before"' } as const
    const earlier = {
      folder: join(folder, 'earlier'),
      manifest: { '/a': { ...manifest['/a'], ...known } } as typeof manifest,
    }
    const taken = new Set(['a/index.html'])
    const listed = await indexFiles(client(), headers, { earlier, taken })
    expect(listed['/a']).toEqual({ ...known, headers: { link: '<new>' } })
    expect(statSync(join(client(), 'a/index.html.br')).nlink).toBe(2)
  })
})

it('names a file that this process wrote by what it noted then, and no other file', async () => {
  write('client/a/index.html', 'a')
  write('client/b/index.html', 'b')
  const written = new Map([['a/index.html', { etag: '"noted"', size: 7 }]])
  const index = openFileIndex(client(), new Map())
  await index.add(['a/index.html', 'b/index.html'], written)
  const etag = toEtag(Buffer.from('b'))
  expect(index.toManifest()).toMatchObject({ '/a': { etag: '"noted"', size: 7 }, '/b': { etag, size: 1 } })
})

describe('the buying program', () => {
  it('is one file that runs alone, published with its digest', async () => {
    write(
      'src/buyer/main.ts',
      "import { word } from './word.ts'\nimport { sep } from 'node:path'\nconsole.log(word, sep)",
    )
    write('src/buyer/word.ts', "export const word: string = 'bought'")
    const { code, sha256 } = await makeBuyerBundle(folder)
    write('alone/buy.mjs', code)
    const { stdout } = spawnSync(process.execPath, [join(folder, 'alone/buy.mjs')], { encoding: 'utf8' })
    expect(stdout).toMatch(/^bought/)
    expect(sha256).toBe(createHash('sha256').update(code).digest('hex'))
    expect((await makeBuyerBundle(folder)).sha256).toBe(sha256)
  })

  it('must exist and be complete', async () => {
    await expect(makeBuyerBundle(folder)).rejects.toThrow('src/buyer/main.ts is missing')
    write('src/buyer/main.ts', "import 'not-installed-anywhere'")
    await expect(makeBuyerBundle(folder)).rejects.toThrow('not-installed-anywhere')
  })
})
