import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { markdownToHtml } from 'satteri'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findDeadLinks } from '../../src/build/dead-links.ts'
import { readRecordedPost } from '../../src/build/recorded-post.ts'
import { spelledPictures } from '../../src/build/spelled-pictures.ts'
import { aliases, toRedirects } from '../../src/content/aliases.ts'
import { makeIdRegister, toPlainId } from '../../src/content/content-folder.ts'
import { findBeside } from '../../src/content/file-beside.ts'
import { firstSlug } from '../../src/content/first-slug.ts'
import { missingFile } from '../../src/content/missing-file.ts'
import { findUnroutedFiles } from '../../src/content/unrouted-files.ts'
import { findWritingFaults } from '../../src/content/writing-faults.ts'

/** A name as keyboards write it (NFC), and as macOS may name files (NFD). */
const [typed, named] = ['été'.normalize('NFC'), 'été'.normalize('NFD')]

let root: string
let post: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'spelled-'))
  post = join(root, 'content/posts', `${named}.mdx`)
  mkdirSync(join(root, 'content/posts', named), { recursive: true })
  for (const name of ['a.png', 'a.mp3']) writeFileSync(join(root, 'content/posts', named, name), '')
  writeFileSync(join(root, 'content/posts', `${named}.png`), '')
  writeFileSync(join(root, 'content/posts', `${named}.txt`), 'Hello.')
  writeFileSync(
    post,
    `---\naudio: { src: ./a.mp3, transcript: ./${typed}.txt }\n---\n\n[me](/posts/${named}), [me](${typed})\n`,
  )
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('a text has one address, in either normalization of its file name', () => {
  expect([toPlainId(`${named}.mdx`), toPlainId(`${typed}.mdx`)]).toEqual([typed, typed])
  const register = makeIdRegister()
  register(toPlainId(`${named}.mdx`), 'one')
  expect(() => register(toPlainId(`${typed}.mdx`), 'other')).toThrow(/would have the same address as one/)
})

it('a post first published under the other spelling keeps its feed id if that is its first alias', () => {
  const data = { aliases: aliases.parse([`/posts/${named}`]) }
  expect(firstSlug({ slug: typed, data })).toBe(named)
  const leads = { [encodeURI(`/posts/${named}`)]: encodeURI(`/posts/${typed}`) }
  expect(toRedirects([{ path: `/posts/${typed}`, ...data }])).toEqual(leads)
})

it('a link finds its post in either spelling', async () => {
  const addresses = new Set([encodeURI(`/posts/${typed}`)])
  expect(
    await findDeadLinks(root, {
      addresses,
      baseUrl: 'https://shop.test',
      placesOf: () => undefined,
      broughtBy: new Map(),
    }),
  ).toEqual([])
})

it('neighbouring files are found in either spelling, if they exist', () => {
  expect(findBeside(post, `./${typed}/a.png`)).toBe(join(root, 'content/posts', named, 'a.png'))
  expect(findBeside(post, `./${named}.png`)).toBe(join(root, 'content/posts', `${named}.png`))
  expect(findBeside(post, `./${typed}/b.png`)).toBeUndefined()
  expect(findBeside(post, './ete.png')).toBeUndefined()
  expect(missingFile({ image: { src: `./${typed}.png` } }, 'x', post)).toBeUndefined()
  const surroundings = { file: post, products: new Set<string>(), baseUrl: 'https://own.test' }
  expect(findWritingFaults(`![x](./${typed}.png)`, surroundings)).toEqual([])
  expect(findWritingFaults(`![x](./${typed}s.png)`, surroundings)).toHaveLength(1)
  expect(findUnroutedFiles(join(root, 'content'))).toEqual([])
})

it('a recording is found in either spelling', async () => {
  const audio = { src: `./${typed}/a.mp3` }
  await expect(readRecordedPost({ filePath: post, audio, units: [] })).rejects.not.toThrow(/ENOENT/)
})

it('a page names a picture as its folder spells it, and keeps its text unchanged', async () => {
  const source = `![Summer](./${typed}/a.png "Hot") ![n](${encodeURI(typed)}.png) ![s](./a.png) ![t](/${typed}.png)`
  const { html } = await markdownToHtml(source, { mdastPlugins: [spelledPictures], fileURL: pathToFileURL(post) })
  expect(html).toContain(`src="./${encodeURI(named)}/a.png" alt="Summer" title="Hot"`)
  expect(html).toContain(`src="./${encodeURI(named)}.png" alt="n"`)
  expect(html).toContain('src="./a.png" alt="s"')
  expect(html).toContain(`src="/${encodeURI(typed)}.png" alt="t"`)
})
