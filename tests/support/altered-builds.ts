import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { readStaticManifest, type StaticManifest } from '../../src/http/static/static-manifest.ts'
import { searchDocumentSchema } from '../../src/search/search-document.ts'
import { writeSearchIndex } from '../../src/search/write-search-index.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { testBuild } from './running-site.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** What an altered build changes in the tested build. */
export interface Alteration {
  /** Slug of a post to add; the same word finds it in the search. */
  readonly post?: string
  /** A skill by its slug, with a new text. */
  readonly skill?: { readonly slug: string; readonly text: string }
  /** Slug of a post to hide as if it were not published yet: no page, feed, search or narration contains it. */
  readonly unpublished?: string
  /** Slug of a draft to add, which is also the title of its preview page. */
  readonly draft?: string
  /** URL of a file to remove. */
  readonly without?: string
  /** Build facts to change. */
  readonly facts?: Readonly<Record<string, string>>
}

/** Makes builds in one folder as `npm run build` leaves them, each copied from the tested build within a second. */
export function makeAlteredBuilds() {
  const root = mkdtempSync(join(tmpdir(), 'altered-builds-'))
  // The pages of a build import packages from a folder above it.
  symlinkSync(modules, join(root, 'node_modules'))
  return {
    ...alterBuildsIn(root),
    remove: () => rmSync(root, { recursive: true }),
  }
}

/** The same, in the folder that contains the tested build. */
export const makeBuildsBesideTested = () => alterBuildsIn(dirname(testBuild()))

function alterBuildsIn(root: string) {
  const added: string[] = []
  return {
    /** @returns the folder of the new build, which has this name */
    add(name: string, { post, skill, unpublished, draft, without, facts }: Alteration = {}): string {
      const folder = join(root, name)
      added.push(folder)
      copyTested(folder)
      const files = buildFiles(folder)
      changeJson(files.facts, (before) => ({ ...before, key: name, ...facts }))
      if (post !== undefined) addPost(folder, post)
      if (draft !== undefined) {
        mkdirSync(join(files.previews, draft), { recursive: true })
        writeFileSync(join(files.previews, draft, 'index.html'), `<!doctype html><title>${draft}</title>`)
      }
      if (unpublished !== undefined) takePost(folder, unpublished)
      if (skill) writeFileSync(join(files.privateTexts, `skill-${skill.slug}.md`), skill.text)
      if (without !== undefined) changeJson(files.manifest, ({ [without]: _gone, ...rest }) => rest)
      return folder
    },
    remove(): void {
      for (const folder of added) rmSync(folder, { recursive: true })
    },
  }
}

/** Folders that no alteration changes, with four fifths of the files of a build. */
function findUnchanged(tested: string): string[] {
  const { client } = buildFiles(tested)
  const folders = readdirSync(client, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const ofPages = folders.filter(({ name }) => name !== 'posts').map(({ name }) => join(client, name))
  return [...['bundle', 'game', 'programs'].map((name) => join(tested, name)), ...ofPages]
}

/** Copies the tested build, with symbolic links for folders that no alteration changes. */
function copyTested(folder: string): void {
  const tested = testBuild()
  const unchanged = new Set(findUnchanged(tested))
  cpSync(tested, folder, { recursive: true, filter: (path) => !unchanged.has(path) })
  for (const path of unchanged) symlinkSync(path, join(folder, relative(tested, path)))
}

function addPost(folder: string, slug: string): void {
  const files = buildFiles(folder)
  const page = `<!doctype html><title>${slug}</title><p>Hot from the press: ${slug}.`
  const file = `posts/${slug}/index.html`
  mkdirSync(dirname(join(files.client, file)), { recursive: true })
  writeFileSync(join(files.client, file), page)
  const entry = { file, size: page.length, type: 'text/html; charset=utf-8', etag: `"${slug}"`, cache: 'no-cache' }
  changeJson(files.manifest, (before) => ({ ...before, [`/posts/${slug}`]: entry }))
  const about = { collection: 'posts', slug, url: `/posts/${slug}`, title: slug, excerpt: slug, body: page } as const
  const found = readDocuments(files.search)
  rmSync(files.search)
  writeSearchIndex(files.search, [...found, { ...about, language: 'en', publishedAt: '2026-11-22T00:00:00Z' }])
}

const feeds = ['rss.xml', 'atom.xml', 'feed.json']

function takePost(folder: string, slug: string): void {
  const files = buildFiles(folder)
  const sizes = feeds.map((name) => {
    const file = join(files.client, name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`/posts/${slug}`, '/posts/another'))
    return [`/${name}`, statSync(file).size] as const
  })
  changeJson(files.manifest, ({ [`/posts/${slug}`]: _gone, ...rest }) => {
    const entries = sizes.map(([url, size]) => {
      const { br: _br, gz: _gz, ...entry } = z.record(z.string(), z.unknown()).parse(rest[url])
      return [url, { ...entry, size, etag: '"early"' }] as const
    })
    return { ...rest, ...Object.fromEntries(entries) }
  })
  const found = readDocuments(files.search).filter((document) => document.slug !== slug)
  rmSync(files.search)
  writeSearchIndex(files.search, found)
  const spoken = join(files.privateTexts, 'spoken-posts.json')
  const posts = z.array(z.looseObject({ slug: z.string() })).parse(JSON.parse(readFileSync(spoken, 'utf8')))
  writeFileSync(spoken, JSON.stringify(posts.filter((each) => each.slug !== slug)))
}

function readDocuments(file: string) {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare('select *, published_at as publishedAt from document').all()
  db.close()
  return rows.map((row) =>
    searchDocumentSchema.parse(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))),
  )
}

function changeJson(file: string, change: (before: Record<string, unknown>) => object): void {
  const before = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')))
  writeFileSync(file, JSON.stringify(change(before)))
}

/** The files that a build serves, by URL. */
export const readManifest = (folder: string): StaticManifest => readStaticManifest(buildFiles(folder).manifest)

/** URLs whose content never changes, because their names contain a hash. */
export const lastingUrls = (folder: string): string[] =>
  Object.entries(readManifest(folder)).flatMap(([url, { cache }]) => (cache.includes('immutable') ? [url] : []))
