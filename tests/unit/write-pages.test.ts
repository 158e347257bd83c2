import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AstroPrerenderer } from 'astro'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toEtag } from '../../src/build/packed-forms.ts'
import { writePages } from '../../src/build/write-pages.ts'
import { mentionsMark } from '../../src/mentions/mention-marks.ts'
import { notNarratedMarks, placeholderMarks } from '../../src/narration/placeholders/placeholders.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-pages-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Answer {
  readonly pathname: string
  readonly route?: 'page' | 'endpoint'
  readonly body?: string | null
  readonly status?: number
  readonly type?: string
}

/** Answers with these pages, and records what is requested. */
const prerendererOf = (answers: readonly Answer[], asked: string[]): AstroPrerenderer => {
  const paths = answers.map(({ pathname, route = 'page' }, at) => ({
    pathname,
    route: { type: route, component: `${at}` },
  }))
  return {
    name: 'answers',
    getStaticPaths: async () => paths as unknown as Awaited<ReturnType<AstroPrerenderer['getStaticPaths']>>,
    render: async ({ url }, { routeData }) => {
      asked.push(url)
      const {
        body = routeData.component,
        status = 200,
        type = 'text/html',
      } = answers[Number(routeData.component)] ?? {}
      return new Response(body, { status, headers: { 'content-type': type, 'x-of': routeData.component } })
    },
  }
}

/** Writes these pages, those of posts first; tells what was requested and what was compressed. */
async function writeAll(answers: readonly Answer[], publicFiles: ReadonlySet<string> = new Set()) {
  const asked: string[] = []
  const begun: string[] = []
  const shown: (readonly [string, string | undefined])[] = []
  const begin = (body: Buffer) => {
    begun.push(body.toString())
    return toEtag(body)
  }
  const written = await writePages(prerendererOf(answers, asked), {
    outDir: join(folder, 'out'),
    baseUrl: 'https://press.example',
    publicFiles,
    isFirst: (name) => name.startsWith('posts/'),
    onPage: (name, page) => {
      shown.push([name, page && (isThere(`client/${name}`) ? page.html : 'not written')])
    },
    onFirst: () => {
      asked.push('first are written')
      // As a message of a thread arrives.
      setImmediate(() => asked.push('message'))
    },
    packer: { begin },
  })
  return { ...written, asked, begun, shown }
}
const read = (name: string): string => readFileSync(join(folder, 'out', name), 'utf8')
const isThere = (name: string): boolean => existsSync(join(folder, 'out', name))

describe('the pages of a build', () => {
  it('are folders, except error pages and endpoints, and the first page of an address wins', async () => {
    const { asked, pages } = await writeAll([
      { pathname: '/' },
      { pathname: '/posts/é b' },
      { pathname: '/404' },
      { pathname: '/rss.xml', route: 'endpoint' },
      { pathname: '/posts/é b/' },
      { pathname: '/empty', body: null },
    ])
    expect(['client/index.html', 'client/posts/é b/index.html', 'client/404.html', 'client/rss.xml'].map(read)).toEqual(
      ['0', '1', '2', '3'],
    )
    const base = 'https://press.example'
    expect(asked.slice(0, 3)).toEqual([`${base}/posts/%C3%A9%20b`, 'first are written', `${base}/`])
    expect([...pages].map(([path, page]) => [path, page.headers.get('x-of')])).toEqual([
      ['/posts/é b', '1'],
      ['/', '0'],
      ['/404', '2'],
      ['/rss.xml', '3'],
    ])
    expect(isThere('client/empty')).toBe(false)
  })

  it('that are written first are in the order of their names, whatever the order of their paths', async () => {
    const { shown } = await writeAll([
      { pathname: '/posts/b' },
      { pathname: '/a' },
      { pathname: '/posts/a' },
      { pathname: '/posts/a.md', route: 'endpoint' },
    ])
    expect(shown.map(([name]) => name)).toEqual(['posts/a/index.html', 'posts/b/index.html', 'a/index.html'])
  })

  it('are shown once they are written, except those that a public file replaces', async () => {
    const { shown } = await writeAll(
      [
        { pathname: '/posts/a', body: '<p>a</p>' },
        { pathname: '/posts/moved', status: 302 },
        { pathname: '/posts/own' },
        { pathname: '/prices/x' },
      ],
      new Set(['posts/own/index.html']),
    )
    expect(shown.toSorted()).toEqual([
      ['posts/a/index.html', '<p>a</p>'],
      ['posts/moved/index.html', undefined],
    ])
  })

  it('let messages in while they are rendered', async () => {
    const { asked } = await writeAll(Array.from({ length: 30 }, (_, at) => ({ pathname: `/${at}` })))
    expect(asked.indexOf('message')).toBeLessThan(asked.length - 1)
    expect(asked).toContain('message')
  })

  it('never replace a public file of the publisher', async () => {
    const { files } = await writeAll([{ pathname: '/robots.txt', route: 'endpoint' }], new Set(['robots.txt']))
    expect([isThere('client/robots.txt'), files.size]).toEqual([false, 0])
  })

  it('are not written where they are redirects', async () => {
    const { redirects, pages } = await writeAll([{ pathname: '/moved', status: 302 }, { pathname: '/b' }])
    expect(redirects.map(({ pathname }) => pathname)).toEqual(['/moved'])
    expect([[...pages.keys()], isThere('client/moved')]).toEqual([['/b'], false])
  })
})

describe('a page with what the running site fills in', () => {
  const { open, close } = placeholderMarks('a')
  const heard = `<p>${open}heard%%x%%${close}${notNarratedMarks.open}quiet${notNarratedMarks.close}</p>`

  it('is written without it, as it is served and compressed, and with it beside', async () => {
    const { begun, files } = await writeAll([
      { pathname: '/posts/a', body: heard },
      { pathname: '/posts/b', body: '<p>é</p>' },
      { pathname: '/c', body: `<p>${mentionsMark}</p>` },
    ])
    expect(begun.toSorted()).toEqual(['<p></p>', '<p>quiet</p>', '<p>é</p>'])
    expect([read('client/posts/a/index.html'), read('narrated/posts/a~.html')]).toEqual(['<p>quiet</p>', heard])
    expect([read('client/c/index.html'), read('narrated/c~.html')]).toEqual(['<p></p>', `<p>${mentionsMark}</p>`])
    expect(isThere('narrated/posts/b~.html')).toBe(false)
    expect(files.get('posts/b/index.html')).toEqual({ etag: toEtag(Buffer.from('<p>é</p>')), size: 9 })
  })

  it('has no second form where it is no page, or is not served at its address', async () => {
    const { begun } = await writeAll([
      { pathname: '/posts/a.md', route: 'endpoint', body: heard, type: 'text/markdown' },
      { pathname: '/previews/a', body: heard },
    ])
    expect(begun).toEqual([heard])
    expect([read('client/posts/a.md'), read('client/previews/a/index.html')]).toEqual([heard, '<p>quiet</p>'])
    expect(isThere('narrated')).toBe(false)
  })
})

it('compresses no file that is not served, or for which it saves nothing', async () => {
  const { begun, files } = await writeAll([
    { pathname: '/private/all.txt', route: 'endpoint', body: 'sold', type: 'text/plain' },
    { pathname: '/a.jpg', route: 'endpoint', body: 'picture', type: 'image/jpeg' },
  ])
  expect([begun, files.size]).toEqual([[], 0])
})

it('notes what a page shows of the asset folder, also in a form that is not served yet', async () => {
  const { open, close } = placeholderMarks('a')
  const { pages } = await writeAll([
    { pathname: '/posts/a', body: `<img src="/_astro/a.png">${open}<img src="/_astro/b c.png">${close}` },
    { pathname: '/rss.xml', route: 'endpoint', body: '<u url="/_astro/a.png"/>', type: 'application/xml' },
  ])
  expect([...pages.values()].map(({ shown }) => shown)).toEqual([['a.png', 'b c.png'], ['a.png']])
})

it('asks for module scripts with low priority', async () => {
  await writeAll([{ pathname: '/posts/a', body: '<script type="module" src="/_astro/a.js"></script>' }])
  expect(read('client/posts/a/index.html')).toBe(
    '<script type="module" fetchpriority="low" src="/_astro/a.js"></script>',
  )
})
