import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parse } from 'yaml'
import { findTimingFault, findUnpublishedPosts } from '../../src/content/waiting-posts.ts'
import { makeRouteTable } from '../../src/http/route-table.ts'
import { makePreviewRoute } from '../../src/site/preview-route.ts'
import { isPreviewKey, toPreviewPath } from '../../src/storage/preview-link.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'previews-'))
})
afterEach(() => rmSync(folder, { recursive: true }))
const secret = 'a secret of thirty-two characters'

it('a link is valid for one post and one installation only', () => {
  const link = new URL(toPreviewPath(secret, 'über'), 'https://shop.test')
  const key = link.searchParams.get('key') ?? ''
  expect([link.pathname, key]).toEqual(['/previews/%C3%BCber', expect.stringMatching(/^[\w-]{43}$/)])
  const keys: [string, string, string][] = [
    [secret, 'über', key],
    [secret, 'other', key],
    ['another secret', 'über', key],
    [secret, 'über', ''],
    [secret, 'über', `${key}a`],
  ]
  expect(keys.map((given) => isPreviewKey(...given))).toEqual([true, false, false, false, false])
})

it('serves only files below the previews folder, whatever the name', () => {
  mkdirSync(join(folder, 'draft'))
  writeFileSync(join(folder, 'draft/index.html'), 'a draft')
  const find = makeRouteTable([makePreviewRoute({ folder, secret })])
  expect(find('GET', '/previews/draft')).toMatchObject({ is: 'handler', name: 'draft' })
  expect(find('GET', '/previews/')).toBeUndefined()
})

it('drafts and scheduled posts are found by two lines of their front matter', () => {
  mkdirSync(join(folder, 'content/posts'), { recursive: true })
  const write = (name: string, matter: string) =>
    writeFileSync(join(folder, 'content/posts', name), `---\n${matter}\n---\n`)
  write('out.mdx', 'publishedAt: 2026-01-01')
  write('draft.mdx', 'publishedAt: 2026-01-01\ndraft: true')
  write('later.mdx', 'publishedAt: 2026-03-01')
  const now = new Date('2026-02-01')
  expect(findUnpublishedPosts(folder, now).map(({ file, isDraft }) => [file, isDraft])).toEqual([
    ['draft.mdx', true],
    ['later.mdx', false],
  ])
  expect(findUnpublishedPosts(folder, now, ['out.mdx', 'later.mdx']).map(({ file }) => file)).toEqual(['later.mdx'])
})

it.each([
  ['2026-03-01T09:00:00', '2026-03-01T09:00:00.000Z'],
  ['2026-03-01 09:00:00', '2026-03-01T09:00:00.000Z'],
  ['2026-03-01t09:00:00.5Z', '2026-03-01T09:00:00.500Z'],
  ['2026-03-01 09:00:00 +02', '2026-03-01T07:00:00.000Z'],
  ["'2026-03-01T09:00:00-05:30'", '2026-03-01T14:30:00.000Z'],
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
])('a post with the time %s is scheduled for the same moment as on its page', (written, at) => {
  mkdirSync(join(folder, 'content/posts'), { recursive: true })
  const field = `publishedAt: ${written} # at last\n`
  const source = `---\ntitle: Later\n${field}---\n`
  expect(new Date(parse(field, { schema: 'yaml-1.1' }).publishedAt).toISOString()).toBe(at)
  for (const mark of ['', '\ufeff']) {
    writeFileSync(join(folder, 'content/posts/later.mdx'), mark + source)
    const [post] = findUnpublishedPosts(folder, new Date('2026-02-01'))
    expect(post?.publishedAt.toISOString()).toBe(at)
  }
})

it('a post is refused if its schedule would differ from its page, or cannot be read', () => {
  const data = { publishedAt: new Date('2026-03-01T09:00:00Z'), draft: false }
  const says = (lines: string, said = data) => findTimingFault(said, `---\ntitle: A\n${lines}\n---\n`)
  expect(says('publishedAt: 2026-03-01T09:00:00Z')).toBeUndefined()
  expect(says('publishedAt: 2026-03-01T09:00:00Z\ndraft: True', { ...data, draft: true })).toBeUndefined()
  for (const lines of ['"publishedAt": 2026-03-01T09:00:00Z', 'publishedAt: !!timestamp 2026-03-01T09:00:00Z'])
    expect(says(lines)).toMatch('publishedAt must be a day that there is, in a line like')
  expect(findTimingFault(data, '+++\npublishedAt = 2026-03-01T09:00:00Z\n+++\n')).toMatch('between two lines of ---')
  expect(says('publishedAt: 2026-03-01T09:00:00Z\n"draft": true', { ...data, draft: true })).toMatch('draft must be')
})
