import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readFolder } from '../../src/build/read-folder.ts'
import {
  entriesOf,
  listBundled,
  readCollections,
  replaceCollections,
} from '../../src/build/repeated/kept-collections.ts'
import type { ContentFolder } from '../../src/content/content-folder.ts'

let folder: string
const write = (name: string, content: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'repeated-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the posts of an incremental build', () => {
  let read: string[]
  const posts = (): ContentFolder<z.ZodObject<{ title: z.ZodString }>> => ({
    base: `${folder}/posts` as `./${string}`,
    pattern: '*.mdx',
    schema: z.object({ title: z.string() }),
    check: (_, id) => {
      read.push(id)
      return undefined
    },
    isCompiledLater: (source) => !source.includes('<'),
  })
  const post = (name: string, title: string, text = '') =>
    write(`posts/${name}.mdx`, `---\ntitle: ${title}\n---\n${text}`)
  beforeEach(() => {
    read = []
    post('a', 'A')
    post('B c', 'B', '<Callout />')
    write('posts/notes.txt', 'no post')
  })

  it('are reused if their files are unchanged, and otherwise have all data that Astro needs', async () => {
    const before = readFolder(posts(), new Map())
    expect([...before.keys()].sort()).toEqual(['a', 'b-c'])
    expect(before.get('b-c')).toEqual({
      id: 'b-c',
      data: { title: 'B' },
      filePath: `${folder}/posts/B c.mdx`,
      digest: expect.stringMatching(/^[0-9a-f]{24}$/),
      deferredRender: true,
    })
    read = []
    post('a', 'Another')
    post('new', 'New')
    rmSync(join(folder, 'posts/B c.mdx'))
    const after = readFolder(posts(), before)
    expect(read.sort()).toEqual(['a', 'new'])
    expect([...after].map(([id, { data }]) => [id, data]).sort()).toEqual([
      ['a', { title: 'Another' }],
      ['new', { title: 'New' }],
    ])
  })

  it('require new bundling if one with components is added, changed or removed, and not otherwise', async () => {
    const bundled = listBundled(readFolder(posts(), new Map()))
    const afterChange = async (change: () => void) => {
      change()
      return listBundled(readFolder(posts(), new Map()))
    }
    expect(await afterChange(() => post('a', 'Another'))).toEqual(bundled)
    expect(await afterChange(() => post('plain', 'New'))).toEqual(bundled)
    expect(await afterChange(() => post('B c', 'B', '<Callout>more</Callout>'))).not.toEqual(bundled)
    expect(await afterChange(() => post('B c', 'B', '<Callout />'))).toEqual(bundled)
    expect(await afterChange(() => post('a', 'A', '<Callout />'))).toHaveLength(2)
    expect(await afterChange(() => rmSync(join(folder, 'posts/B c.mdx')))).toHaveLength(1)
  })

  it('are none if the last one was removed together with its folder', async () => {
    rmSync(join(folder, 'posts'), { recursive: true })
    expect(readFolder(posts(), new Map())).toEqual(new Map())
  })

  it('are refused with the same sentence as in any build', async () => {
    write('posts/broken.mdx', '---\ntitle: 5\n---\n')
    expect(() => readFolder(posts(), new Map())).toThrow(/broken\.mdx:2: title/)
  })

  it('are refused with all mistakes at once, sorted by name', async () => {
    write('posts/one.mdx', '---\ntitle: 5\n---\n')
    write('posts/three.mdx', '+++\ntitle = A\n+++\n')
    write('posts/two.mdx', '---\ntitle: a: b\n---\n')
    expect(() => readFolder(posts())).toThrow(
      /^\S*one\.mdx:2: title .*\n\S*three\.mdx:2: the front matter cannot be read: .*TOML.*\n\S*two\.mdx:2: the front matter cannot be read: .*needs quotes around it$/,
    )
  })

  it('are bundled as Astro bundles them, including dates', async () => {
    write('chunk.mjs', '')
    const entries = new Map([['a', { data: { publishedAt: new Date(0), tags: ['x'], updatedAt: undefined } }]])
    const file = join(folder, 'chunk.mjs')
    await replaceCollections(file, new Map([['posts', entries]]))
    const collections = await readCollections(file)
    expect(entriesOf(collections, 'posts')).toEqual(entries)
    expect(entriesOf(collections, 'pages')).toEqual(new Map())
  })
})
