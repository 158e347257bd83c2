import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAtomFeed, parseRssFeed } from 'feedsmith'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toBuildEnvironment } from '../../src/build/build-environment.ts'
import { runAstroBuild } from '../../src/build/run-astro-build.ts'
import { readConfig } from '../../src/config/config.ts'
import { toShow } from '../../src/feeds/podcast/show.ts'
import { copyRepository } from '../support/copy-repository.ts'

let root: string
const read = (name: string): string => readFileSync(join(root, 'out/client', name), 'utf8')

beforeAll(async () => {
  root = copyRepository()
  // Git keeps no empty folders, so a repository without posts and skills lacks these folders, too.
  for (const name of ['posts', 'skills']) rmSync(join(root, 'content', name), { recursive: true })
  const pages = join(root, 'content/pages')
  for (const name of readdirSync(pages)) {
    const source = readFileSync(join(pages, name), 'utf8')
    writeFileSync(join(pages, name), source.replace(/\]\(\/(?:posts|skills)\/[^)]*\)/g, '](/)'))
  }
  writeFileSync(
    join(pages, 'colophon.mdx'),
    '---\ntitle: "Colophon"\nexcerpt: "Who prints."\n---\n\nPrinted by hand.\n',
  )
  await runAstroBuild({ root, outDir: join(root, 'out'), env: toBuildEnvironment(readConfig({}), process.env) })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('a press without posts and skills builds, and its pages say so', () => {
  expect(parseRssFeed(read('rss.xml')).items ?? []).toEqual([])
  expect(parseAtomFeed(read('atom.xml')).entries ?? []).toEqual([])
  expect(JSON.parse(read('feed.json'))).toMatchObject({ items: [] })
  expect(JSON.parse(read('skills.json'))).toMatchObject({ count: 0, items: [] })
  for (const name of ['index.html', 'index.md', 'posts.md']) expect(read(name)).toContain('Nothing is published yet.')
})

it('a press without skills says so on their page, and links buyers and listeners to what it does sell', () => {
  for (const name of ['skills/index.html', 'skills.md']) expect(read(name)).toContain('No skills are for sale here.')
  for (const name of ['index.html', 'index.md']) expect(read(name)).not.toContain('kills for agents')
  expect(read('index.html')).toContain('<a href="#shop">Buy</a>')
  expect(toShow('https://press.example', '/artwork.jpg').funding.url).toBe('https://press.example/#shop')
})

it('a page written by the publisher links to its markdown, and llms.txt lists it', () => {
  expect(read('colophon/index.html')).toContain('<link rel="alternate" type="text/markdown" href="/colophon.md"')
  expect(read('colophon.md')).toContain('Printed by hand.')
  expect(read('llms.txt')).toContain('/colophon.md): Who prints.')
})
