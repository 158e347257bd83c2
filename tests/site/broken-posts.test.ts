import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuild } from '../../src/build/build.ts'
import { toBuildEnvironment } from '../../src/build/build-environment.ts'
import { runAstroBuild } from '../../src/build/run-astro-build.ts'
import { readConfig } from '../../src/config/config.ts'
import { copyRepository } from '../support/copy-repository.ts'
import { figure } from '../support/figures.ts'

let root: string

beforeAll(() => {
  root = copyRepository()
  for (const name of ['cat.mp3', 'cat.vtt']) writeFileSync(join(root, 'content/posts', name), '')
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
    'an expression that only a program could evaluate',
    'broken.mdx',
    `${matter}It is {new Date().getFullYear()}.`,
    /broken\.mdx:7: the value of \{new Date\(\)\.getFullYear\(\)\} cannot be known when the site is built; write it out/,
  ],
  ['an address that is taken', 'Two Commands.mdx', matter, /:1: would have the same address .*rename one of them/],
  [
    'an image that is missing',
    'broken.mdx',
    `${matter}![A cat](./cat.png)`,
    /broken\.mdx:7: there is no image .*add it/,
  ],
  [
    'a product that does not exist',
    'broken.mdx',
    `${matter}<ProductCard slug="nope" />`,
    /broken\.mdx:7: nothing named "nope" is for sale; for sale are image-generate, /,
  ],
  [
    'a link that leads nowhere',
    'broken.mdx',
    `${matter}[There](/posts/not-there)`,
    /content\/posts\/broken\.mdx:7: there is nothing at \/posts\/not-there; correct the link/,
  ],
  [
    'a link to a heading that its page lacks',
    'broken.mdx',
    `${matter}## Größe\n\n[Here](#größe) and [there](/posts/two-commands#not-there)`,
    /^(?![\s\S]*#größe)[\s\S]*broken\.mdx:9: there is no place #not-there in \/posts\/two-commands; correct the link/,
  ],
  [
    'an alias that has a page',
    'broken.mdx',
    matter.replace('title', 'aliases: [/posts/fair-play]\ntitle'),
    /\/posts\/fair-play is an alias of \/posts\/broken and has a page; remove the alias/,
  ],
  [
    'a recording that will not do when its time comes',
    'broken.mdx',
    matter.replace('2026-01-01', '2999-01-01\naudio: { src: ./cat.mp3, transcript: ./cat.vtt }'),
    /broken\.mdx:1: audio cannot be used \(\.\/cat\.mp3 and \.\/cat\.vtt\)/,
  ],
  [
    'a place in a series that is taken when its time comes',
    'broken.mdx',
    matter.replace('2026-01-01', '2999-01-01\nseries: { name: "Selling over HTTP", part: 1 }'),
    /content\/posts\/[\w-]+\.mdx: series Selling over HTTP numbers some of its parts; number all or none/,
  ],
  [
    'the wrong ending',
    'broken.md',
    matter,
    /content\/posts\/broken\.md:1: this file is not used; posts are content\/posts\/\*\.mdx/,
  ],
  [
    'markup that does not close',
    'broken.mdx',
    `${matter}Some <b>bold\n\ntext`,
    /content\/posts\/broken\.mdx:7: Expected a closing tag for `<b>`/,
  ],
]

const build = () =>
  runAstroBuild({ root, outDir: join(root, 'out'), env: toBuildEnvironment(readConfig({}), process.env) })

// Each case builds the whole site.
it.each(mistakes.slice(0, figure(1, mistakes.length)))(
  'a post with %s stops the build, which says where and what to do, without a stack trace',
  async (_, name, source, message) => {
    const file = join(root, 'content/posts', name)
    writeFileSync(file, source)
    const refusal = expect(build()).rejects
    await refusal.toThrow(message)
    await refusal.toThrow(/^the site does not build until this is corrected:\n(?![\s\S]*Stack trace)/)
    rmSync(file)
  },
)

it('mistakes in several files stop the build, are all reported at once, and leave nothing half built', async () => {
  const written = {
    'content/posts/broken.mdx': matter.replace('"T"', 'A: title'),
    'content/posts/second.mdx': `${matter}![A cat](./cat.png)`.replace('2026-01-01', 'soon'),
    'content/pages/third.mdx': '---\ntitle: 3\n---\n',
  }
  for (const [file, source] of Object.entries(written)) writeFileSync(join(root, file), source)
  await expect(ensureBuild(readConfig({}), { root, log: () => {} })).rejects.toThrow(
    /^the site does not build until this is corrected:\ncontent\/posts\/broken\.mdx:2: the front matter cannot be read: .*\ncontent\/posts\/second\.mdx:4: publishedAt must .*\ncontent\/posts\/second\.mdx:7: there is no image .*\n(?:content\/pages\/third\.mdx:\d: .*\n?)+$/,
  )
  expect(readdirSync(join(root, '.build')).filter((name) => /^[0-9a-f]{24}/.test(name))).toEqual([])
  for (const file of Object.keys(written)) rmSync(join(root, file))
})
