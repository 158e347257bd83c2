import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findAddressFaults } from '../../src/build/check-addresses.ts'
import { findDeadLinks } from '../../src/build/dead-links.ts'
import { keptTexts } from '../../src/build/kept-texts.ts'
import { aliases, toRedirects } from '../../src/content/aliases.ts'
import { checkComing } from '../../src/content/coming-posts.ts'
import { toDigest } from '../../src/content/content-folder.ts'
import { findUnroutedFiles } from '../../src/content/unrouted-files.ts'
import { findProducts } from '../../src/offers/find-products.ts'
import { toOffers } from '../../src/offers/products.ts'
import { isOwnPage } from '../../src/routes/is-own-page.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { findFormerSlugs } from '../../src/storage/redirects-file.ts'
import { readKeptTexts } from '../support/read-kept-texts.ts'

let root: string
const write = (name: string, text: string) => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'writing-'))
  write('content/pages/about.mdx', '')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const baseUrl = 'https://shop.test'
const addresses = new Set([
  ...['/', '/about', '/posts', '/posts/one', '/posts/two', '/posts/two.md', '/old', '/skills/x', '/api/x402/llms/pack'],
])
const places = new Map([
  ['/posts/one', new Set(['a-heading'])],
  ['/posts/two', new Set(['part', 'größe'])],
])
const find = () =>
  findDeadLinks(root, { addresses, baseUrl, placesOf: (path) => places.get(path), broughtBy: new Map() })

it('broken links within the site are reported with file and line', async () => {
  write(
    'content/posts/one.mdx',
    [
      '---',
      'title: One',
      '---',
      '[gone](/posts/gone), [a neighbour](./three), [ours](https://shop.test/nothing?x=1#y)',
      '',
      '<a href="/abuot">About</a> and [by name][n].',
      '',
      '[n]: /posts/gone.vtt',
      '',
      '[half a code](/100%) and [a place](two#100%)',
    ].join('\n'),
  )
  expect(await find()).toEqual([
    'content/posts/one.mdx:4: there is nothing at /posts/gone; correct the link',
    'content/posts/one.mdx:4: there is nothing at /posts/three; correct the link',
    'content/posts/one.mdx:4: there is nothing at /nothing; correct the link',
    'content/posts/one.mdx:6: there is nothing at /abuot; correct the link',
    'content/posts/one.mdx:8: there is nothing at /posts/gone.vtt; correct the link',
    'content/posts/one.mdx:10: there is nothing at /100%; correct the link',
    'content/posts/one.mdx:10: there is no place #100% in /posts/two; correct the link',
  ])
})

it('a text whose digest is known is not read again while its links are kept', async () => {
  const text = '[gone](/posts/gone)'
  write('content/posts/one.mdx', text)
  const out = join(root, 'out')
  mkdirSync(out)
  const findKnown = (digest: string) =>
    findDeadLinks(root, {
      addresses,
      baseUrl,
      placesOf: (path) => places.get(path),
      broughtBy: new Map(),
      digests: new Map([['content/posts/one.mdx', digest]]),
    })
  const found = ['content/posts/one.mdx:1: there is nothing at /posts/gone; correct the link']
  keptTexts.open(undefined)
  try {
    expect(await find()).toEqual(found)
    write('content/posts/one.mdx', '[right](/about)')
    expect(await findKnown(toDigest(text))).toEqual(found)
    expect(await findKnown(toDigest('another text'))).toEqual([])
  } finally {
    keptTexts.write(out)
  }
})

it('links to files, former addresses, products and routes of the running site are valid', async () => {
  const right = ['two', '/posts/two.md', '/posts/two.vtt', '/old', '/posts/', '/about?x']
  addresses.add('/posts/release-1.2')
  const dotted = ['/posts/release-1.2.vtt', '/posts/release-1.2/transcript', '/posts/release-1.2.transcript.json']
  const live = [
    ...dotted,
    '/podcast.xml',
    '/api/search.json?q=x',
    '/receipts/r_1',
    '/skills/x/raw',
    '/api/x402/llms/pack',
  ]
  const away = ['https://elsewhere.test/nothing', 'mailto:a@b.test', '//elsewhere.test/x']
  write('content/posts/one.mdx', [...right, ...live, ...away].map((url) => `[x](${url})`).join('\n\n'))
  addresses.add('/skills/x/raw')
  expect(await find()).toEqual([])
})

it('links to a missing anchor of a page are reported as well, and others are not', async () => {
  const right = ['#a-heading', 'two#part', '/posts/two/#part', '/posts/two#gr%C3%B6%C3%9Fe', '/posts/two#größe']
  const unnamed = ['#', '#top', '/posts/two#:~:text=words', '/posts/two#part:~:text=words']
  const unwritten = ['/about#here', '/old#gone', '/posts/two.vtt#gone', 'https://elsewhere.test/#gone']
  const wrong = ['#gone', 'two#Part', 'https://shop.test/posts/two#gr%F6%DFe']
  const lines = [...right, ...unnamed, ...unwritten, ...wrong].map((url) => `[x](${url})`)
  write('content/posts/one.mdx', lines.join('\n\n'))
  const first = (right.length + unnamed.length + unwritten.length) * 2 + 1
  expect(await find()).toEqual([
    `content/posts/one.mdx:${first}: there is no place #gone in /posts/one; correct the link`,
    `content/posts/one.mdx:${first + 2}: there is no place #Part in /posts/two; correct the link`,
    `content/posts/one.mdx:${first + 4}: there is no place #gr%F6%DFe in /posts/two; correct the link`,
  ])
})

it('the links of a finished build are checked against its pages and anchors', async () => {
  const entry = { size: 1, etag: '"x"', cache: '' }
  const page = (name: string) => ({ ...entry, file: `${name}/index.html`, type: 'text/html; charset=utf-8' })
  const files = {
    '/posts/one': page('posts/one'),
    '/about': page('about'),
    '/posts/two': page('posts/two'),
    '/posts/two.md': { ...entry, file: 'posts/two.md', type: 'text/markdown; charset=utf-8' },
  }
  write(
    'out/client/api/catalog.json',
    '{"skills":[{"buyUrl":"https://shop.test/skills/x/raw"}],"hostedApis":[],"content":[]}',
  )
  write('out/private/redirects.json', '{"/old":"/posts/two"}')
  write('out/client/posts/two/index.html', '<h2 class="a" id="part">Part</h2><p data-id="no">')
  write('content/posts/one.mdx', '[x](/posts/two#part) [x](/old) [x](/skills/x/raw) [x](/posts/two.md#part)')
  const check = () => findAddressFaults({ root, outDir: join(root, 'out'), baseUrl, files, late: '/pagefind/' })
  expect(await check()).toEqual([])
  write('content/posts/one.mdx', '[x](/posts/two#no)\n\n[x](/posts/two#part) [x](/posts/two#gone)')
  expect(await check()).toEqual([
    'content/posts/one.mdx:1: there is no place #no in /posts/two; correct the link',
    'content/posts/one.mdx:3: there is no place #gone in /posts/two; correct the link',
  ])
})

it('the page that the menu links to has to exist, under whatever name', async () => {
  const files = { '/who': { size: 1, etag: '"x"', cache: '', file: 'who/index.html', type: 'text/html' } }
  rmSync(join(root, 'content/pages/about.mdx'))
  write('out/client/api/catalog.json', '{"skills":[],"hostedApis":[],"content":[]}')
  const check = () => findAddressFaults({ root, outDir: join(root, 'out'), baseUrl, files, late: '/pagefind/' })
  write('out/private/redirects.json', '{}')
  expect(await check()).toEqual([
    expect.stringMatching(
      /^content\/pages\/about\.mdx is missing: the menu of every page leads to \/about; write it, or/,
    ),
  ])
  write('out/private/redirects.json', '{"/about":"/who"}')
  expect(await check()).toEqual([])
})

it('a former address may not be one of the running site or of a product', async () => {
  const page = (path: string) => ({ size: 1, etag: '"x"', cache: '', file: `${path}/index.html`, type: 'text/html' })
  const files = { '/about': page('about'), '/posts/one': page('posts/one') }
  write(
    'out/client/api/catalog.json',
    '{"skills":[{"buyUrl":"https://shop.test/skills/x/raw"}],"hostedApis":[],"content":[]}',
  )
  const claim = async (alias: string, name = 'redirects.json') => {
    write('out/private/redirects.json', '{}')
    write(`out/private/${name}`, JSON.stringify({ [alias]: '/posts/one' }))
    return findAddressFaults({ root, outDir: join(root, 'out'), baseUrl, files, late: '/pagefind/' })
  }
  const live = ['/follow', '/podcast.xml', '/healthz', '/api/search.json', '/posts/one.vtt', '/skills/x/raw']
  const has = (alias: string, what: string) => [`${alias} is an alias of /posts/one and has ${what}; remove the alias`]
  for (const alias of live) expect(await claim(alias)).toEqual(has(alias, 'an answer of its own'))
  for (const alias of ['/2019/one', '/posts/gone.vtt', '/posts/gone/transcript', '/feed', '/skills/gone/raw'])
    expect(await claim(alias)).toEqual([])
  // This alias belongs to a scheduled post, whose publication nobody watches.
  const coming = 'coming-redirects.json'
  expect(await claim('/podcast.xml', coming)).toEqual(has('/podcast.xml', 'an answer of its own'))
  expect(await claim('/posts/one', coming)).toEqual(has('/posts/one', 'a page'))
  expect(await claim('/2019/one', coming)).toEqual([])
})

it('a former address may not lie where files of the search page are listed later', async () => {
  write('out/client/api/catalog.json', '{"skills":[],"hostedApis":[],"content":[]}')
  write('out/private/redirects.json', '{"/pagefind/pagefind.js":"/about"}')
  const files = { '/about': { size: 1, etag: '"x"', cache: '', file: 'about/index.html', type: 'text/html' } }
  expect(await findAddressFaults({ root, outDir: join(root, 'out'), baseUrl, files, late: '/pagefind/' })).toEqual([
    '/pagefind/pagefind.js is an alias of /about and has a page; remove the alias',
  ])
})

it('a scheduled post may link to what comes out before it, so that nothing blocks its publication', async () => {
  const waiting = (name: string, day: string, links: string) =>
    write(`content/posts/${name}.mdx`, `---\npublishedAt: 2999-01-0${day}\n---\n${links}`)
  waiting('first', '1', '[itself](/posts/first) [later](/posts/second)')
  waiting('second', '2', '[earlier](/posts/first)')
  write('content/pages/about.mdx', '[not yet](/posts/first)')
  expect(await find()).toEqual([
    'content/pages/about.mdx:1: there is nothing at /posts/first; correct the link',
    'content/posts/first.mdx:4: there is nothing at /posts/second; correct the link',
  ])
})

it('posts that are published at the same time may link to each other', async () => {
  const waiting = (name: string, links: string) =>
    write(`content/posts/${name}.mdx`, `---\npublishedAt: 2999-01-01\n---\n${links}`)
  waiting('first', '[with it](/posts/second) [never](/posts/third)')
  waiting('second', '[with it](/posts/first)')
  expect(await find()).toEqual(['content/posts/first.mdx:4: there is nothing at /posts/third; correct the link'])
})

it('a scheduled post may link to aliases and lists that are published with it or with an earlier post', async () => {
  const waiting = (name: string, day: string, links: string) =>
    write(`content/posts/${name}.mdx`, `---\npublishedAt: 2999-01-0${day}\n---\n${links}`)
  waiting('first', '1', '[series](/series/sagas) [later](/tags/new)')
  waiting('second', '2', '[series](/series/sagas) [tag](/tags/new) [its old name](/2998/second)')
  write('content/pages/about.mdx', '[not yet](/series/sagas)')
  write('out/client/api/catalog.json', '{"skills":[],"hostedApis":[],"content":[]}')
  write('out/private/coming-redirects.json', '{"/2998/second":"/posts/second"}')
  write(
    'out/private/coming-lists.json',
    '{"/posts/first":["/series/sagas"],"/posts/second":["/series/sagas","/tags/new"]}',
  )
  const files = { '/about': { size: 1, etag: '"x"', cache: '', file: 'about/index.html', type: 'text/css' } }
  expect(await findAddressFaults({ root, outDir: join(root, 'out'), baseUrl, files, late: '/pagefind/' })).toEqual([
    'content/pages/about.mdx:1: there is nothing at /series/sagas; correct the link',
    'content/posts/first.mdx:4: there is nothing at /tags/new; correct the link',
  ])
})

it('a scheduled post may not claim an address or a place in a series that another text has', () => {
  const post = (id: string, day: string, more: object = {}) => ({
    id,
    data: { publishedAt: new Date(day), series: { name: 'Ships', part: Number(id) } },
    ...{ path: `/posts/${id}`, aliases: [], ...more },
  })
  const [out, coming] = [post('1', '2026-01-01', { aliases: ['/old'] }), post('2', '2999-01-01')]
  const about = { path: '/about', aliases: ['/über'] }
  const check = (waiting: typeof coming) => () => checkComing({ texts: [out, about, waiting], posts: [waiting, out] })
  expect(check(coming)).not.toThrow()
  expect(check({ ...coming, data: { ...coming.data, series: { name: 'Ships', part: 1 } } })).toThrow(
    'content/posts/1.mdx: part 1 of the series Ships is content/posts/2.mdx; renumber one of them',
  )
  expect(check(post('2', '2999-01-01', { aliases: ['/über'] }))).toThrow('/über is an alias of /about and of /posts/2')
  for (const path of ['/posts/1', '/about'])
    expect(check(post('2', '2999-01-01', { aliases: [path] }))).toThrow(
      `${path} is an alias of /posts/2 and has a page; remove the alias`,
    )
  expect(check(post('2', '2999-01-01', { path: '/old' }))).toThrow('/old is an alias of /posts/1 and has a page')
})

it('the source of a picture by reference is not checked as a link', async () => {
  write('content/posts/one.mdx', '![A cat][cat] and [two][two]\n\n[cat]: ./cat.png\n[two]: ./three')
  expect(await find()).toEqual(['content/posts/one.mdx:4: there is nothing at /posts/three; correct the link'])
})

it('a link in an unchanged text is reported once the page that it leads to is gone', async () => {
  write('content/posts/one.mdx', '[two](/posts/two)')
  const [first, second] = [join(root, 'first'), join(root, 'second')]
  for (const folder of [first, second]) mkdirSync(folder)
  keptTexts.open(undefined)
  expect(await find()).toEqual([])
  keptTexts.write(first)
  keptTexts.open(first)
  const left = addresses.difference(new Set(['/posts/two']))
  expect(
    await findDeadLinks(root, { addresses: left, baseUrl, placesOf: () => undefined, broughtBy: new Map() }),
  ).toEqual(['content/posts/one.mdx:1: there is nothing at /posts/two; correct the link'])
  keptTexts.write(second)
  expect(readKeptTexts(buildFiles(second).texts)).toEqual(readKeptTexts(buildFiles(first).texts))
})

it('drafts are not checked, and links to the example address are checked as links to this site', async () => {
  write('content/posts/draft.mdx', '---\npublishedAt: 2026-01-01\ndraft: true\n---\n[gone](/gone)')
  write('content/pages/about.mdx', '[gone](https://shop.example/gone)')
  expect(await find()).toEqual(['content/pages/about.mdx:1: there is nothing at /gone; correct the link'])
})

it('content files that become no page are reported', () => {
  const content = join(root, 'content')
  for (const name of ['posts/a.mdx', 'posts/a.md', 'posts/sub/b.mdx', 'posts/cat.png', 'notes/c.mdx', 'pages/d.txt'])
    write(`content/${name}`, '')
  write('content/posts/heard.mdx', '---\naudio:\n  src: ./heard.mp3\n  transcript: ./said.txt\n---\n')
  for (const name of ['posts/said.txt', 'posts/unsaid.txt']) write(`content/${name}`, 'Words.')
  for (const name of ['skills/x/SKILL.md', 'skills/x/references/more.md', 'skills/y/README.md', 'crawlers.json'])
    write(`content/${name}`, '')
  expect(findUnroutedFiles(content).map((sentence) => sentence.slice(content.length + 1).split(': ')[0])).toEqual([
    'notes/c.mdx:1',
    'pages/d.txt:1',
    'posts/a.md:1',
    'posts/sub/b.mdx:1',
    'posts/unsaid.txt:1',
    'skills/y/README.md:1',
  ])
})

it('content files whose names Astro would ignore are reported', () => {
  for (const name of ['posts/what?.mdx', 'pages/c#.mdx', 'posts/100%.mdx']) write(`content/${name}`, '')
  expect(findUnroutedFiles(join(root, 'content'))).toEqual(
    ['pages/c#.mdx', 'posts/what?.mdx'].map(
      (name) =>
        `${root}/content/${name}:1: its name becomes its address, which must not contain ? # % ; or \\; rename it`,
    ),
  )
})

it('a page may not take an address that the site uses', () => {
  expect(
    ['search', 'posts', 'api', 'operator', 'about', 'agents', 'colophon'].filter((name) => isOwnPage(name)),
  ).toEqual(['search', 'posts', 'api', 'operator'])
})

it('a page may not take an address at which something is sold, such as llms-full.txt', async () => {
  const sold = toOffers(await findProducts('functions'), []).map(({ path }) => path)
  expect(['llms-full.txt', 'export', 'colophon'].filter((name) => isOwnPage(name, sold))).toEqual(['llms-full.txt'])
})

it('a page may not take an address where the build stores files of its own, which would be lost or replaced', () => {
  const names = ['index', '404', '500', 'private', 'prices', 'previews', '_astro', 'assets', 'pagefind']
  expect(names.filter((name) => !isOwnPage(name))).toEqual([])
})

it('posts are also found by their former names', () => {
  const redirects = toRedirects([{ path: '/posts/café', aliases: ['/posts/cafe', '/2019/café', '/posts/ein-café'] }])
  expect([...findFormerSlugs(new Map(Object.entries(redirects)))]).toEqual([['café', ['cafe', 'ein-café']]])
})

it('a former address leads to the current one, and belongs to one text only', () => {
  const café = { path: '/posts/café', aliases: ['/2019/ein-café', '/alt'] }
  expect(toRedirects([café, { path: '/about', aliases: [] }])).toEqual({
    '/2019/ein-caf%C3%A9': '/posts/caf%C3%A9',
    '/alt': '/posts/caf%C3%A9',
  })
  expect(() => toRedirects([café, { path: '/about', aliases: ['/alt'] }])).toThrow(
    '/alt is an alias of /posts/café and of /about; keep one',
  )
  for (const wrong of ['alt', '/', '/a/', '/a?b', 'https://elsewhere.test/'])
    expect([wrong, aliases.safeParse([wrong]).success]).toEqual([wrong, false])
})
