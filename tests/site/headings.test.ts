import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runAstroBuild } from '../../src/build/run-astro-build.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

let root: string
let html: string

// A build with one page takes a tenth of the time of the whole site.
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'headings-'))
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
  mkdirSync(join(root, 'src/pages'), { recursive: true })
  const component = (name: string) => JSON.stringify(join(repository, 'src/components', name))
  // Anchors as the Markdown parser generates them, and names that the page uses itself.
  const slugs = ['contents', 'Section', '-1', 'a', 'b']
  const source = [
    '---',
    `import Heading from ${component('heading-two.astro')}`,
    `import Contents from ${component('contents.astro')}`,
    `const slugs = ${JSON.stringify(slugs)}`,
    '---',
    '<Contents headings={slugs.map((slug) => ({ depth: 2, slug, text: slug }))} />',
    '{slugs.map((id) => <Heading {id}>{id}</Heading>)}',
  ]
  writeFileSync(join(root, 'src/pages/index.astro'), source.join('\n'))
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  const env = { PATH: process.env['PATH'] ?? '', HOME: root, ASTRO_TELEMETRY_DISABLED: '1' }
  await runAstroBuild({ root, outDir: join(root, 'out'), env })
  html = readFileSync(join(root, 'out/index.html'), 'utf8')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const all = (pattern: RegExp): string[] => [...html.matchAll(pattern)].map(([, found = '']) => found)

it('every anchor of a page is unique, whatever its headings are called', () => {
  const ids = all(/\sid(?:="([^"]*)")?[\s>]/g)
  expect(ids).not.toContain('')
  expect(new Set(ids).size).toBe(ids.length)
})

it('every link to a section leads to its heading', () => {
  const headings = all(/<h2[^>]*\sid="([^"]*)"/g)
  expect(headings).toEqual(['contents', 'Section', '-1', 'a', 'b'])
  expect(all(/<li>\s*<a href="#([^"]*)"/g)).toEqual(headings)
  expect(all(/class="anchor" href="#([^"]*)"/g)).toEqual(headings)
})
