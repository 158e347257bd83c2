import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inspect } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuild } from '../../src/build/build.ts'
import { toBuildEnvironment } from '../../src/build/build-environment.ts'
import { runAstroBuild } from '../../src/build/run-astro-build.ts'
import { readConfig } from '../../src/config/config.ts'
import { sha256 } from '../../src/core/sha256.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { readManifest } from '../support/altered-builds.ts'
import { copyRepository } from '../support/copy-repository.ts'
import { figure } from '../support/figures.ts'
import { readKeptTexts } from '../support/read-kept-texts.ts'
import { readSearchIndex } from '../support/read-search-index.ts'
import { testBaseUrl } from '../support/running-site.ts'

/** The build date is fixed, so that builds differ in nothing that depends on the time. */
const asOf = new Date('2026-12-01T00:00:00Z')
const dayBefore = new Date('2026-11-30T00:00:00Z')
const config = readConfig({ BASE_URL: testBaseUrl, GAME_URL: 'http://undercroft.test', PORT: '0' })
const env = toBuildEnvironment(config, process.env, asOf)

let root: string
/** The build before the first change. */
let earlier: string
/** The build after the first change. */
let changed: string
const edit = (name: string, change: (text: string) => string): void =>
  writeFileSync(join(root, name), change(readFileSync(join(root, name), 'utf8')))
/** A post without components: a change in a post with components renders the pages of all posts again. */
const post = 'a-price-is-an-integer'
const inPost = (change: (text: string) => string) => () => edit(`content/posts/${post}.mdx`, change)
const says = (from: RegExp, to: string) => inPost((text) => text.replace(from, to))

/** Changes that are applied one after the other, each on top of those before it. */
const changes: readonly (readonly [what: string, change: () => void])[] = [
  ['the text of a post', inPost((text) => `${text}\nOne more paragraph.\n`)],
  ['its tags', says(/^tags: .*$/m, 'tags: [entirely-new]')],
  ['its excerpt', says(/^excerpt: .*$/m, 'excerpt: "Another sentence."')],
  ['its date', says(/^publishedAt: .*$/m, 'publishedAt: 2026-06-01T09:00:00Z')],
  ['its series', says(/^series: .*$/m, 'series: "Another series"')],
  ['an alias of it', says(/^tags/m, 'aliases: [/posts/an-older-name]\ntags')],
  ['its author, whose portrait is not made yet', says(/^tags/m, 'author: "Somebody else"\ntags')],
  ['a component in it', inPost((text) => `${text}\n<Callout kind="note">Look.</Callout>\n`)],
  ['a product in it', inPost((text) => `${text}\n<ProductCard slug="image-generate" />\n`)],
  ['another post that is new', () => writeFileSync(join(root, 'content/posts/new.mdx'), newPost)],
  ['that post as a draft', () => edit('content/posts/new.mdx', (text) => text.replace('title', 'draft: true\ntitle'))],
  ['the text of that draft', () => edit('content/posts/new.mdx', (text) => `${text}\nMore.\n`)],
  ['no such post', () => rmSync(join(root, 'content/posts/new.mdx'))],
  ['a page', () => edit('content/pages/about.mdx', (text) => `${text}\nOne more line.\n`)],
  ['the settings of the site', () => edit('site.config.ts', (text) => text.replace(/tagline: '/, "tagline: 'Truly: "))],
  ['a component of every page', () => edit('src/components/masthead.astro', (text) => text.replace('Main', 'Places'))],
]
/** The index of the first change that needs more than the server bundle of the build before. */
const firstForAstro = changes.findIndex(([what]) => what.startsWith('its author'))
const newPost =
  '---\ntitle: "New"\nexcerpt: "Just now."\npublishedAt: 2026-11-20T09:00:00Z\ntags: [reliability]\n---\n\nNew.\n'

/** Files of a page that the first change leaves alone, altered in the earlier build so that a reuse shows. */
const planted = ['client/posts/feeds-that-validate/index.html.gz', 'narrated/posts/feeds-that-validate~.html']

/** A file added to the bundle of the first build, which survives as long as builds reuse that bundle. */
const plantedInBundle = 'bundle/chunks/planted'

/** The log lines of all builds. */
const said: string[] = []

/** Databases are compared by content, because the order of their pages depends on how they were made. */
const digest = (file: string): string =>
  sha256(file.endsWith('.db') ? inspect(readDatabase(file), everything) : readFileSync(file))
const readDatabase = (file: string) => (file.endsWith('/texts.db') ? readKeptTexts(file) : readSearchIndex(file))
const everything = { depth: null, maxArrayLength: null, maxStringLength: null }

/** A digest of each file of a build, without build.json (which contains its folder) and program code. */
const read = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile())
      .map((item) => join(item.parentPath, item.name))
      .map((file) => [relative(folder, file), digest(file)] as const)
      .filter(([name]) => !/^(?:server|bundle|programs|game)\/|^build\.json$/.test(name) && !planted.includes(name))
      .sort(),
  )

/** Posts that show a picture in several sizes; the first also shows an animation, and stays unchanged at first. */
const withPictures = ['feeds-that-validate', 'durable-before-paid']

async function addPictures(): Promise<void> {
  const toFile = (name: string) => join(root, 'content/posts', name)
  const frames = await Promise.all(
    ['#247', '#a42'].map((background) =>
      sharp({ create: { width: 600, height: 400, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  await sharp(frames[0]).toFile(toFile('the harbour.png'))
  await sharp(frames, { join: { animated: true } }).toFile(toFile('the wheel.gif'))
  mkdirSync(join(root, 'content/authors'))
  await sharp(frames[1]).toFile(join(root, 'content/authors/somebody.png'))
  const somebody = "{ name: 'Somebody else', about: 'Writes elsewhere.', picture: 'somebody.png' }"
  edit('site.config.ts', (text) => text.replace('authors: [', `authors: [\n    ${somebody},`))
  const add = (slug = '', name = '') =>
    edit(`content/posts/${slug}.mdx`, (text) => `${text}\n![A ${name}](<./the ${name}>)\n`)
  for (const slug of withPictures) add(slug, 'harbour.png')
  add(withPictures[0], 'wheel.gif')
}

beforeAll(async () => {
  root = copyRepository()
  await addPictures()
  earlier = await ensureBuild(config, { root, asOf: dayBefore, log: (line) => said.push(line) })
  for (const name of planted) {
    rmSync(join(earlier, name))
    writeFileSync(join(earlier, name), 'planted')
  }
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** The pictures that those posts show, all of which must be files of the build. */
function listPictures(build: string): string[] {
  const files = Object.keys(readManifest(build))
  return withPictures.flatMap((slug) => {
    const html = readFileSync(join(build, 'client/posts', slug, 'index.html'), 'utf8')
    const found = html.matchAll(/\/_astro\/the(?: |%20)(?:harbour|wheel)\.[\w.-]+/g)
    const shown = new Set(Array.from(found, ([address]) => encodeURI(decodeURI(address))))
    expect(files).toEqual(expect.arrayContaining([...shown]))
    return [...shown].sort()
  })
}

/** Makes a change, and builds incrementally and from scratch. */
async function buildBoth(change: () => void): Promise<{ taking: string; fresh: string }> {
  change()
  const taking = await ensureBuild(config, { root, asOf, log: (line) => said.push(line) })
  const fresh = join(root, 'fresh')
  rmSync(fresh, { recursive: true, force: true })
  await runAstroBuild({ root, outDir: fresh, env })
  return { taking, fresh }
}

it('the portrait of an author without a page is not published, so that its camera metadata stays private', () => {
  expect(Object.keys(readManifest(earlier)).filter((path) => path.includes('somebody'))).toEqual([])
})

it('an incremental build whose bundle is damaged says so, and still reuses unchanged pages', async () => {
  const { bundle } = buildFiles(earlier)
  const [entry = ''] = readdirSync(bundle).filter((name) => name.startsWith('prerender-entry'))
  rmSync(join(bundle, entry))
  writeFileSync(join(bundle, entry), "throw new Error('damaged')")
  says(/^title: .*$/m, 'title: "Aufbewahrt, ehe dafür bezahlt ist"')()
  changed = await ensureBuild(config, { root, asOf, log: (line) => said.push(line) })
  expect(said.splice(0).at(-1)).toMatch(/^built from nothing, because a quicker build failed:.*Error: damaged/s)
  for (const name of planted) expect([name, readFileSync(join(changed, name), 'utf8')]).toEqual([name, 'planted'])
  const pictures = listPictures(changed)
  expect(pictures).toEqual(listPictures(earlier))
  expect(new Set(pictures.map((name) => name.replace(/^.*%20/, '').replace(/\..*\./, '.')))).toEqual(
    new Set(['harbour.avif', 'harbour.webp', 'wheel.gif']),
  )
  writeFileSync(join(changed, plantedInBundle), 'planted')
})

it.each(changes.slice(0, figure(1, changes.length)))(
  'after a change of %s an incremental build equals a build from scratch, byte for byte',
  async (what, change) => {
    const { taking, fresh } = await buildBoth(change)
    expect(read(taking)).toEqual(read(fresh))
    expect(said).not.toContainEqual(expect.stringContaining('a quicker build failed'))
    // Astro bundles again only when code, bundled files or pictures changed.
    const isWithoutAstro = changes.findIndex(([name]) => name === what) < firstForAstro
    expect(existsSync(join(taking, plantedInBundle))).toBe(isWithoutAstro)
  },
)

it('a draft adds the pictures of its preview to the published files, and changes and removes no other file', async () => {
  const build = () => ensureBuild(config, { root, asOf, log: (line) => said.push(line) })
  const before = readManifest(await build())
  writeFileSync(join(root, 'content/posts/later.mdx'), newPost.replace('title', 'draft: true\ntitle'))
  const folder = await build()
  const others = Object.entries(readManifest(folder)).filter(([path]) => !path.startsWith('/_astro/later-'))
  expect(Object.fromEntries(others)).toEqual(before)
  const files = Object.values(before).flatMap(({ file, br, gz }) => [
    file,
    ...(br === undefined ? [] : [`${file}.br`]),
    ...(gz === undefined ? [] : [`${file}.gz`]),
  ])
  expect(files.filter((file) => !existsSync(join(folder, 'client', file)))).toEqual([])
})

it('what is made from all posts is taken from an earlier build with the same posts, unless a part of it is damaged', async () => {
  const later = 'content/posts/later.mdx'
  const build = () => ensureBuild(config, { root, asOf, log: (line) => said.push(line) })
  const [podcast, spoken] = ['podcast-posts.json', 'spoken-posts.json'] as const
  const readPrivate = (folder: string, name: string) =>
    readFileSync(join(buildFiles(folder).privateTexts, name), 'utf8')
  const writePrivate = (folder: string, name: string, text: string) =>
    writeFileSync(join(buildFiles(folder).privateTexts, name), text)
  writeFileSync(join(root, later), newPost.replace('title', 'draft: true\ntitle'))
  const first = await build()
  const made = [readPrivate(first, podcast), readPrivate(first, spoken)]
  const altered = `${made[0]}\n`
  writePrivate(first, podcast, altered)
  // With its digest, the altered text passes for undamaged.
  const db = new DatabaseSync(buildFiles(first).texts)
  const change = db.prepare(
    "update text set value = json_set(value, '$.\"podcast-posts.json\"', ?) where name = 'all posts'",
  )
  expect(change.run(sha256(altered)).changes).toBeGreaterThan(0)
  db.close()
  edit(later, (text) => `${text}\nOne more line.\n`)
  const second = await build()
  expect([readPrivate(second, podcast), readPrivate(second, spoken)]).toEqual([altered, made[1]])
  writePrivate(second, spoken, 'damaged')
  edit(later, (text) => `${text}\nAnother line.\n`)
  const third = await build()
  expect([readPrivate(third, podcast), readPrivate(third, spoken)]).toEqual(made)
})

it('a page preloads the supplementary fonts when its title has letters that English lacks', () => {
  const asksFor = (slug: string): string[] => {
    const html = readFileSync(join(changed, 'client/posts', slug, 'index.html'), 'utf8')
    return [...html.matchAll(/<link rel="preload" as="font"[^>]*?href="\/_astro\/([\w-]+)\./g)].map(
      ([, name = '']) => name,
    )
  }
  const supplements = ['newsreader-text-latin-supplement', 'newsreader-display-latin-supplement']
  expect(asksFor(post)).toEqual(expect.arrayContaining(supplements))
  expect(asksFor('feeds-that-validate')).toContain('newsreader-text-latin')
  for (const name of supplements) expect(asksFor('feeds-that-validate')).not.toContain(name)
})

it('a later build may take the feeds of tags and authors, unlike those of all posts, which change with every post', () => {
  const { pages } = JSON.parse(readFileSync(buildFiles(changed).pages, 'utf8'))
  const feeds = Object.keys(pages).filter((path) => path.endsWith('/atom.xml'))
  expect(feeds).toEqual(expect.arrayContaining(['/tags/typescript/atom.xml', '/authors/the-farthing-press/atom.xml']))
  expect(feeds).not.toContain('/atom.xml')
})

it.each(['/rss.xml', '/atom.xml', '/feed.json', '/tags/typescript/rss.xml'])(
  '%s has a newer Last-Modified after a change that alters no date of a post',
  (path) => {
    const [before, after] = [earlier, changed].map((folder) => readManifest(folder)[path])
    expect(after?.etag).not.toBe(before?.etag)
    const modified = [before, after].map((entry) => Date.parse(entry?.headers?.['last-modified'] ?? ''))
    expect(modified[1]).toBeGreaterThan(modified[0] ?? Number.NaN)
  },
)
