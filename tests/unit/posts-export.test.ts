import { expect, it } from 'vitest'
import makePostsExport from '../../functions/posts-export/make.ts'
import { toExportedTexts, toPostsExport } from '../../src/content/posts-export.ts'
import type { Episode } from '../../src/narration/episodes/episode.ts'

const publishedAt = new Date('2026-11-20T09:00:00Z')
const data = { title: 'A', excerpt: 'B', publishedAt, author: 'C', tags: [], language: 'en' }
const texts = toExportedTexts({ slug: 'a', markdown: 'm', html: 'h' }, 'https://press.example')
const post = { slug: 'a', data, markdown: 'm', texts }
const exported = toPostsExport([post], 'https://press.example')
const make = makePostsExport({
  readPrivate: async () => JSON.stringify(exported),
  episodes: { find: () => undefined, findFile: () => undefined },
})
const countSince = async (since: string): Promise<unknown> => {
  const { body } = await make({ since }, new AbortController().signal, 'key')
  return JSON.parse(new TextDecoder().decode(body)).count
}

it.each(['2026-11-20', '2026-11-20T09:00:00Z', '2026-11-20T10:00:00+01:00', '0000-01-01T00:00:00+23:00'])(
  'the export since %s has posts from then on',
  async (since) => {
    expect(await countSince(since)).toBe(1)
  },
)

it.each(['2026-11-21', '2026-11-20T09:00:00.001Z', '2026-11-20T09:00:00-01:00', '9999-12-31T23:59:59-23:59'])(
  'the export since %s is refused, because it would be empty',
  async (since) => {
    await expect(countSince(since)).rejects.toMatchObject({ kind: 'invalid-input', options: { charged: false } })
    expect(await make.foresee?.({ since })).toEqual([
      { parameter: 'since', detail: 'must be 2026-11-20T09:00:00.000Z or earlier' },
    ])
  },
)

it('the export predicts no fault for a range with posts, and reads its texts once for all requests', async () => {
  let reads = 0
  const { foresee } = makePostsExport({
    async readPrivate() {
      reads++
      if (reads === 1) throw new Error('the disk is busy')
      return JSON.stringify(exported)
    },
    episodes: { find: () => undefined, findFile: () => undefined },
  })
  expect([await foresee?.({}), reads]).toEqual([[], 0])
  await expect(foresee?.({ since: '2026-11-20' })).rejects.toThrow('busy')
  for (const since of ['2026-11-20', '2026-11-20T09:00:00Z', '2020-01-01'])
    expect([await foresee?.({ since }), reads]).toEqual([[], 2])
})

it('the date of the export is the newest change of a post, so that an owner is not charged for another build', () => {
  const at = (time: string, updated?: string) => ({
    ...post,
    data: { ...data, publishedAt: new Date(time), ...(updated && { updatedAt: new Date(updated) }) },
  })
  const asOf = (...posts: Parameters<typeof toPostsExport>[0]) =>
    toPostsExport(posts, 'https://press.example').exportedAt
  expect(asOf(at('2026-11-20'), at('2026-10-01', '2026-11-02'))).toBe('2026-11-20T00:00:00.000Z')
  expect(asOf(at('2026-11-20'), at('2026-10-01', '2026-11-22T09:00:00Z'))).toBe('2026-11-22T09:00:00.000Z')
  expect(asOf()).toBe('1970-01-01T00:00:00.000Z')
})

it('the bytes of the export are the same after recordings were lost and made again', async () => {
  const madeAt = async (createdAt: string) => {
    const episode: Episode = {
      ...{ slug: 'a', storageKey: 'a-0123456789abcdef', title: 'A', language: 'en', voiceId: 'v', createdAt },
      ...{ durationMs: 9000, sizeBytes: 1, sha256: 'ab'.repeat(32), cues: [], chapters: [] },
    }
    const episodes = { find: () => episode, findFile: () => undefined }
    const product = await makePostsExport({ readPrivate: async () => JSON.stringify(exported), episodes })(
      {},
      new AbortController().signal,
      'key',
    )
    return new TextDecoder().decode(product.body)
  }
  const before = await madeAt('2026-11-20T10:00:00.000Z')
  expect(before).toContain('"narration":{"url"')
  expect(await madeAt('2026-12-24T10:00:00.000Z')).toBe(before)
})
