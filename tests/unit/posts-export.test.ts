import { expect, it } from 'vitest'
import makePostsExport from '../../functions/posts-export/make.ts'
import { toPostsExport } from '../../src/content/posts-export.ts'

const publishedAt = new Date('2026-11-20T09:00:00Z')
const data = { title: 'A', excerpt: 'B', publishedAt, author: 'C', tags: [], language: 'en' }
const exported = toPostsExport([{ slug: 'a', data, markdown: 'm', html: 'h' }], 'https://press.example', publishedAt)
const make = makePostsExport({
  readPrivate: async () => JSON.stringify(exported),
  episodes: { find: () => undefined, findFile: () => undefined },
})
const countSince = async (since: string): Promise<unknown> => {
  const { body } = await make({ since }, new AbortController().signal, 'key')
  return JSON.parse(new TextDecoder().decode(body)).count
}

it.each(['2026-11-20', '2026-11-20T09:00:00Z', '2026-11-20T10:00:00+01:00', '0000-01-01T00:00:00+23:00'])(
  'the export since %s has what was published from then on',
  async (since) => {
    expect(await countSince(since)).toBe(1)
  },
)

it.each(['2026-11-21', '2026-11-20T09:00:00.001Z', '2026-11-20T09:00:00-01:00', '9999-12-31T23:59:59-23:59'])(
  'the export since %s is refused, because there is nothing in it to be paid for',
  async (since) => {
    await expect(countSince(since)).rejects.toMatchObject({ kind: 'invalid-input', options: { charged: false } })
  },
)
