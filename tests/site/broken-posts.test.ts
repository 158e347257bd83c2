import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { toBuildEnvironment } from '../../src/setup/build-environment.ts'
import { runAstroBuild } from '../../src/setup/run-astro-build.ts'
import { figure } from '../support/figures.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))
let root: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'press-'))
  for (const name of [
    'src',
    'functions',
    'content',
    'public',
    'site.config.ts',
    'astro.config.mjs',
    'tsconfig.json',
    'package.json',
  ])
    cpSync(join(repository, name), join(root, name), { recursive: true })
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const matter = '---\ntitle: "T"\nexcerpt: "x"\npublishedAt: 2026-01-01\n---\n\n'

const mistakes: readonly (readonly [what: string, name: string, source: string, message: RegExp])[] = [
  [
    'wrong front matter',
    'broken.mdx',
    matter.replace('2026-01-01', 'soon'),
    /^content\/posts\/broken\.mdx:4: publishedAt must be a date like 2026-11-20/m,
  ],
  [
    'an image that is missing',
    'broken.mdx',
    `${matter}![A cat](./cat.png)`,
    /broken\.mdx:7: there is no image .*add it/,
  ],
  ['an address that is taken', 'Two Commands.mdx', matter, /:1: would have the same address .*rename one of them/],
  [
    'a product that does not exist',
    'broken.mdx',
    `${matter}<ProductCard slug="nope" />`,
    /broken\.mdx:7: nothing that is for sale is named "nope"; there are image-generate, /,
  ],
  [
    'markup that does not close',
    'broken.mdx',
    `${matter}Some <b>bold\n\ntext`,
    /Expected a closing tag for `<b>`[\s\S]*content\/posts\/broken\.mdx:7/,
  ],
]

// Each is a build of the whole site.
it.each(mistakes.slice(0, figure(3, mistakes.length)))(
  'a post with %s stops the build and says where and what to do',
  async (_, name, source, message) => {
    const file = join(root, 'content/posts', name)
    writeFileSync(file, source)
    const env = toBuildEnvironment(readConfig({}), process.env)
    const build = runAstroBuild({ root, outDir: join(root, 'out'), env })
    await expect(build).rejects.toThrow(message)
    rmSync(file)
  },
  120_000,
)
