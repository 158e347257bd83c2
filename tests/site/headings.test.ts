import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runAstroBuild } from '../../src/build/run-astro-build.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

let root: string
let html: string

// A site of one page, which takes a tenth of what the whole one does.
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'headings-'))
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
  mkdirSync(join(root, 'src/pages'), { recursive: true })
  const component = (name: string) => JSON.stringify(join(repository, 'src/components', name))
  // As the parser of posts names them.
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

it('every place of a text has one name, whatever its headings are called', () => {
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
