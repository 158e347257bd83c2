import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { AstroPrerenderer } from 'astro'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findShown, takePictures } from '../../src/build/images/astro-pictures.ts'
import { openKeptPages } from '../../src/build/kept-pages.ts'
import { type Path, toFile } from '../../src/build/page-places.ts'
import type { ExpectedPages } from '../../src/build/pagefind.ts'

let folder: string
const write = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-pages-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const component = 'src/pages/posts/[slug].astro'
const toPath = (pathname: string, cacheKey?: string, more: { component?: string; type?: string } = {}): Path => {
  const route: Partial<Path['route']> = JSON.parse(JSON.stringify({ component, type: 'page', ...more }))
  return JSON.parse(JSON.stringify({ pathname, route, cacheKey }))
}

interface Given {
  readonly styles?: string
  readonly headers?: Record<string, Record<string, string>>
  /** The files of the pages in Pagefind's index. */
  readonly indexed?: string[]
}

/** Renders a build after an earlier one, and tells which paths were rendered and which reused. */
async function render(
  outDir: string,
  earlier: string | undefined,
  paths: readonly Path[],
  { styles = 'hash', headers: given = {}, indexed = [] }: Given = {},
) {
  write(`${outDir}/client/_astro/styles.${styles}.css`, '')
  const kept = openKeptPages({ earlier: earlier && join(folder, earlier), outDir: join(folder, outDir) })
  const rendered: string[] = []
  let expected: ExpectedPages | undefined
  const all: AstroPrerenderer = {
    name: 'all',
    getStaticPaths: async () => [...paths],
    render: async () => new Response(),
  }
  const { getStaticPaths } = kept.withoutKept(all, (pages) => {
    expected = pages
  })
  for (const { pathname, route } of await getStaticPaths()) {
    rendered.push(pathname)
    write(join(outDir, 'client', toFile(pathname, route.type)), `${outDir}${pathname}`)
  }
  const headers = kept.headersOf(
    new Map(rendered.map((path) => [path, { headers: new Headers({ by: outDir, ...given[path] }) }])),
  )
  write(`${outDir}/pages.json`, kept.toJson(indexed))
  return {
    rendered,
    expected,
    by: (path: string) => headers.get(path)?.get('by'),
    madeAt: (path: string) => headers.get(path)?.get('last-modified'),
    taken: kept.taken(),
    pictures: kept.pictures(),
    hasSameHtml: kept.hasSameHtml(),
  }
}

it('reuses a page with its headers while its key is the same, build after build', async () => {
  const paths = [toPath('/posts/a', 'a1'), toPath('/posts/b', 'b1'), toPath('/feed')]
  expect((await render('one', undefined, paths)).rendered).toEqual(['/posts/a', '/posts/b', '/feed'])
  const two = await render('two', 'one', [toPath('/posts/a', 'a1'), toPath('/posts/b', 'b2'), toPath('/feed')])
  expect(two.rendered).toEqual(['/posts/b', '/feed'])
  expect([two.by('/posts/a'), two.by('/posts/b')]).toEqual(['one', 'two'])
  const three = await render('three', 'two', [toPath('/posts/a', 'a1'), toPath('/posts/b', 'b2')])
  expect(three.rendered).toEqual([])
  const bytes = ['a', 'b'].map((slug) => readFileSync(join(folder, 'three/client/posts', slug, 'index.html'), 'utf8'))
  expect(bytes).toEqual(['one/posts/a', 'two/posts/b'])
})

it('lets a reused page that says when it was made say when the new build was made, as rendered pages do', async () => {
  const feed = toPath('/tags/a/rss.xml', 'a1', { type: 'endpoint' })
  const paths = [feed, toPath('/posts/a', 'a1'), toPath('/rss.xml', undefined, { type: 'endpoint' })]
  const at = (ms: number) => {
    const dated = { 'last-modified': new Date(ms).toUTCString() }
    return { headers: { [feed.pathname]: dated, '/rss.xml': dated } }
  }
  await render('one', undefined, paths, at(0))
  const two = await render('two', 'one', paths, at(60_000))
  expect([two.rendered, two.by(feed.pathname)]).toEqual([['/rss.xml'], 'one'])
  expect([two.madeAt(feed.pathname), two.madeAt('/posts/a')]).toEqual([new Date(60_000).toUTCString(), null])
  const kept = JSON.parse(readFileSync(join(folder, 'two/pages.json'), 'utf8'))
  expect(kept.pages[feed.pathname].headers).toContainEqual(['last-modified', new Date(60_000).toUTCString()])
})

describe('a page without a key of its own, which may depend on every post', () => {
  const [list, missing, feed] = [toPath('/'), toPath('/404'), toPath('/feed', undefined, { type: 'endpoint' })]
  const posts = [toPath('/posts/a', 'a1'), toPath('/posts/b', 'b1')]

  it('is reused while every post is the same, from the earlier build', async () => {
    await render('one', undefined, [...posts, list, missing, feed])
    const two = await render('two', 'one', [...posts, list, missing, feed])
    expect([two.rendered, two.by('/')]).toEqual([[], 'one'])
    for (const name of ['index.html', '404.html', 'feed'])
      expect([name, existsSync(join(folder, 'two/client', name))]).toEqual([name, true])
  })

  it('is rendered when a post changed, was added or removed', async () => {
    await render('one', undefined, [...posts, list])
    for (const other of [
      [toPath('/posts/a', 'a2'), ...posts.slice(1)],
      [...posts, toPath('/posts/c', 'c1')],
      posts.slice(1),
    ])
      expect((await render('two', 'one', [...other, list])).rendered).toContain('/')
  })

  it('is rendered if it contains its build time', async () => {
    const dated = { 'last-modified': new Date(0).toUTCString() }
    await render('one', undefined, [...posts, list, feed], { headers: { '/feed': dated, '/posts/a': dated } })
    expect((await render('two', 'one', [...posts, list, feed])).rendered).toEqual(['/feed'])
  })

  it('is rendered if it has no public address, such as texts that are sold', async () => {
    const priced = toPath('/private/texts.json', undefined, { type: 'endpoint' })
    await render('one', undefined, [...posts, priced])
    expect((await render('two', 'one', [...posts, priced])).rendered).toEqual(['/private/texts.json'])
  })
})

it('knows whether the HTML of all pages is the same as before', async () => {
  const paths = [toPath('/posts/a', 'a1'), toPath('/posts/b', 'b1'), toPath('/')]
  expect((await render('one', undefined, paths)).hasSameHtml).toBe(false)
  expect((await render('two', 'one', paths)).hasSameHtml).toBe(true)
  expect((await render('three', 'one', [toPath('/posts/a', 'a2'), ...paths.slice(1)])).hasSameHtml).toBe(false)
  const gone = [toPath('/posts/a', 'a1'), toPath('/posts/b', 'b1')]
  expect((await render('four', 'one', gone)).hasSameHtml).toBe(false)
})

it('tells which HTML pages to expect, which of them were searchable, and whether one differs', async () => {
  const feed = toPath('/feed', undefined, { type: 'endpoint' })
  const paths = [toPath('/posts/a', 'a1'), toPath('/posts/b', 'b1'), toPath('/'), feed, toPath('/prices/x')]
  const names = ['posts/a/index.html', 'posts/b/index.html', 'index.html']
  const indexed = ['posts/a/index.html']
  expect((await render('one', undefined, paths, { indexed })).expected).toEqual({ names, isChanged: true })
  const known = { names, indexed: new Set(indexed), isChanged: true }
  expect((await render('two', 'one', paths)).expected).toEqual({ ...known, isChanged: false })
  const changed = [toPath('/posts/a', 'a2'), ...paths.slice(1)]
  expect((await render('three', 'one', changed)).expected).toEqual(known)
  expect((await render('four', 'one', paths.slice(1))).expected).toEqual({ ...known, names: names.slice(1) })
  const restyled = await render('five', 'one', paths, { styles: 'other' })
  expect(restyled.expected).toEqual({ names, isChanged: true })
})

it('reuses both forms of a page: as it is served, and with placeholders for narrations', async () => {
  await render('one', undefined, [toPath('/posts/a', 'a1')])
  write('one/narrated/posts/a~.html', 'with places')
  const { taken } = await render('two', 'one', [toPath('/posts/a', 'a1')])
  const read = (name: string) => readFileSync(join(folder, 'two', name), 'utf8')
  expect([read('client/posts/a/index.html'), read('narrated/posts/a~.html')]).toEqual(['one/posts/a', 'with places'])
  expect([...taken]).toEqual(['posts/a/index.html'])
})

it('leaves nothing of a page that lacks one of its two files, and never writes into the earlier build', async () => {
  await render('one', undefined, [toPath('/posts/a', 'a1')])
  write('one/narrated/posts/a~.html', 'with places')
  rmSync(join(folder, 'one/client/posts/a/index.html'))
  const { rendered, taken } = await render('two', 'one', [toPath('/posts/a', 'a1')])
  expect([rendered, taken.size]).toEqual([['/posts/a'], 0])
  expect(existsSync(join(folder, 'two/narrated/posts/a~.html'))).toBe(false)
  expect(readFileSync(join(folder, 'one/narrated/posts/a~.html'), 'utf8')).toBe('with places')
})

describe('a page with pictures that Astro makes', () => {
  const outDir = (name: string) => join(folder, name)
  const [cat, blink] = ["grey cat's.x_1.avif", 'the eye é (1).y.gif']
  /** The page shows a scaled picture and an original one; its neighbour in the same build shows another. */
  const html = `<img srcset="/_astro/styles.hash.css 9w, /_astro/grey%20cat's.x_1.avif 480w"><img src="/_astro/${blink}">`
  beforeEach(async () => {
    for (const name of [cat, blink, 'other.z_1.avif']) write(`one/client/_astro/${name}`, name)
    const kept = openKeptPages({ earlier: undefined, outDir: outDir('one') })
    const path = toPath('/posts/a', 'a1')
    const all: AstroPrerenderer = {
      name: 'all',
      getStaticPaths: async () => [path],
      render: async () => new Response(),
    }
    await kept.withoutKept(all, () => {}).getStaticPaths()
    write('one/client/posts/a/index.html', html)
    kept.headersOf(new Map([['/posts/a', { headers: new Headers() }]]))
    kept.findPictures(new Set([cat, blink, 'other.z_1.avif']), () => findShown(html))
    expect(kept.pictures()).toEqual(new Set([blink, cat]))
    write('one/pages.json', kept.toJson([]).replace(/"assets":\[.*?\]/, '"assets":["styles.hash.css"]'))
  })

  it('is reused with its pictures, and with no others', async () => {
    const { taken, pictures } = await render('two', 'one', [toPath('/posts/a', 'a1')])
    expect([taken, pictures]).toEqual([new Set(['posts/a/index.html']), new Set([blink, cat])])
    await takePictures(outDir('one'), outDir('two'), pictures)
    expect(new Set(readdirSync(join(folder, 'two/client/_astro')))).toEqual(new Set([blink, cat, 'styles.hash.css']))
  })

  it('does not overwrite pictures that Astro has made again', async () => {
    const { pictures } = await render('two', 'one', [toPath('/posts/a', 'a1')])
    write(`two/client/_astro/${cat}`, 'made anew')
    await takePictures(outDir('one'), outDir('two'), pictures)
    expect(readFileSync(join(folder, 'two/client/_astro', cat), 'utf8')).toBe('made anew')
    expect(readFileSync(join(folder, 'one/client/_astro', cat), 'utf8')).toBe(cat)
  })

  it('is rendered if one of its pictures is missing', async () => {
    rmSync(join(folder, 'one/client/_astro', blink))
    expect((await render('two', 'one', [toPath('/posts/a', 'a1')])).rendered).toEqual(['/posts/a'])
  })
})

it('renders pages of another route, pages missing from the earlier build, and everything without an earlier build', async () => {
  const paths = [toPath('/posts/a', 'a1'), toPath('/posts/b', 'b1')]
  await render('one', undefined, paths)
  rmSync(join(folder, 'one/client/posts/b'), { recursive: true })
  const other = toPath('/posts/a', 'a1', { component: 'src/pages/other.astro' })
  expect((await render('two', 'one', [other, toPath('/posts/b', 'b1')])).rendered).toEqual(['/posts/a', '/posts/b'])
  expect((await render('three', 'nowhere', paths)).rendered).toEqual(['/posts/a', '/posts/b'])
})

it.each(['', '{"assets":[],"pages":{"/posts/a":{}}}'])(
  'renders everything if the earlier build’s list of kept pages is damaged: %s',
  async (text) => {
    await render('one', undefined, [toPath('/posts/a', 'a1')])
    write('one/pages.json', text)
    expect((await render('two', 'one', [toPath('/posts/a', 'a1')])).rendered).toEqual(['/posts/a'])
  },
)

it('renders everything when styles or scripts have other names', async () => {
  await render('one', undefined, [toPath('/posts/a', 'a1')])
  expect((await render('two', 'one', [toPath('/posts/a', 'a1')], { styles: 'other' })).rendered).toEqual(['/posts/a'])
})

it('gives an address to the first route that has it, whether reused or not', async () => {
  const paths = [toPath('/a', 'first'), toPath('/a', 'second', { component: 'src/pages/other.astro' })]
  await render('one', undefined, paths.slice(0, 1))
  expect((await render('two', 'one', paths)).rendered).toEqual([])
  expect(readFileSync(join(folder, 'two/client/a/index.html'), 'utf8')).toBe('one/a')
})

it('forgets a page that no longer exists', async () => {
  await render('one', undefined, [toPath('/posts/a', 'a1')])
  await render('two', 'one', [])
  expect(existsSync(join(folder, 'two/client/posts/a'))).toBe(false)
  expect((await render('three', 'two', [toPath('/posts/a', 'a1')])).rendered).toEqual(['/posts/a'])
})
