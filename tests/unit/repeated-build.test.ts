import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { AstroPrerenderer } from 'astro'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readFolder } from '../../src/build/read-folder.ts'
import {
  entriesOf,
  listBundled,
  readCollections,
  replaceCollections,
} from '../../src/build/repeated/kept-collections.ts'
import { writePages } from '../../src/build/repeated/write-pages.ts'
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

describe('the pages of an incremental build', () => {
  interface Answer {
    readonly pathname: string
    readonly type?: 'page' | 'endpoint'
    readonly body?: string | null
    readonly status?: number
  }
  /** Answers with these pages, and records what is requested. */
  const prerendererOf = (answers: readonly Answer[], asked: string[] = []): AstroPrerenderer => {
    const paths = answers.map(({ pathname, type = 'page' }, at) => ({ pathname, route: { type, component: `${at}` } }))
    return {
      name: 'answers',
      getStaticPaths: async () => paths as unknown as Awaited<ReturnType<AstroPrerenderer['getStaticPaths']>>,
      render: async ({ url }, { routeData }) => {
        asked.push(url)
        const { body = routeData.component, status = 200 } = answers[Number(routeData.component)] ?? {}
        return new Response(body, { status, headers: { 'x-of': routeData.component } })
      },
    }
  }
  const writeAll = (prerenderer: AstroPrerenderer, asked: string[] = []) =>
    writePages(prerenderer, {
      root: folder,
      outDir: join(folder, 'out'),
      baseUrl: 'https://press.example',
      waiting: join(folder, 'out/waiting'),
      isFirst: ({ pathname }) => pathname.startsWith('/posts/'),
      onFirst: async () => void asked.push('first are written'),
    })
  const read = (name: string): string => readFileSync(join(folder, 'out', name), 'utf8')

  it('are folders, except error pages and endpoints, and the first page of an address wins', async () => {
    const asked: string[] = []
    const headers = await writeAll(
      prerendererOf(
        [
          { pathname: '/' },
          { pathname: '/posts/é b' },
          { pathname: '/404' },
          { pathname: '/rss.xml', type: 'endpoint' },
          { pathname: '/posts/é b/' },
          { pathname: '/empty', body: null },
        ],
        asked,
      ),
      asked,
    )
    expect(
      ['waiting/index.html', 'client/posts/é b/index.html', 'waiting/404.html', 'client/rss.xml'].map(read),
    ).toEqual(['0', '1', '2', '3'])
    const base = 'https://press.example'
    expect(asked.slice(0, 3)).toEqual([`${base}/posts/%C3%A9%20b`, 'first are written', `${base}/`])
    expect([...headers].map(([path, page]) => [path, page.headers.get('x-of')])).toEqual([
      ['/posts/é b', '1'],
      ['/', '0'],
      ['/404', '2'],
      ['/rss.xml', '3'],
    ])
    expect(existsSync(join(folder, 'out/waiting/empty'))).toBe(false)
  })

  it('never replace a public file of the publisher', async () => {
    write('public/robots.txt', 'mine')
    await writeAll(prerendererOf([{ pathname: '/robots.txt', type: 'endpoint' }]))
    expect(existsSync(join(folder, 'out/client/robots.txt'))).toBe(false)
  })

  it('are left to Astro if one is a redirect', async () => {
    await expect(writeAll(prerendererOf([{ pathname: '/moved', status: 302 }]))).rejects.toThrow('/moved is a redirect')
  })
})
