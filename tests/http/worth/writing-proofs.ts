import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { z } from 'zod'
import site from '../../../site.config.ts'
import { postsExportSchema } from '../../../src/content/posts-export-schema.ts'
import { checksum } from '../../../src/core/checksum.ts'
import { heard, type Proofs, type WorthShop } from './open-worth-shop.ts'

const feedItems = async ({ free }: WorthShop) =>
  z.object({ items: z.array(z.looseObject({})) }).parse(JSON.parse(await free('/feed.json'))).items
const sectionsOf = ({ bundle }: WorthShop) => bundle.split('\n---\n')
/** The text of a section of the bundle, without the escapes that keep its lines from looking like dividers. */
const textOf = (section: string): string => section.slice(section.indexOf('\n\n') + 2).replaceAll(/^\\---$/gm, '---')
const postOf = ({ exported }: WorthShop, slug: string) => {
  const post = exported.posts.find((one) => one.slug === slug)
  if (!post) throw new Error(`the export lacks ${slug}`)
  return post
}

/** Proofs for the bundle and the export, compared with the free texts and feeds. */
export const writingProofs: Proofs = {
  'llms-full': {
    'all posts in one request, divided by lines that no text can imitate': (shop) => {
      expect(sectionsOf(shop)).toHaveLength(shop.exported.count + 1)
      expect(
        sectionsOf(shop)
          .slice(1)
          .map((section) => section.split('\n')[1]),
      ).toEqual(shop.exported.posts.map(({ url }) => url))
    },
    'a table of contents with the approximate number of tokens of each post': async (shop) => {
      const [contents = ''] = sectionsOf(shop)
      for (const { title, tokens } of shop.exported.posts) {
        expect(tokens).toBeGreaterThan(500)
        expect(contents).toMatch(new RegExp(`^\\d+\\. ${RegExp.escape(title)} .*about ${tokens} tokens`, 'm'))
      }
      expect(await shop.free('/llms.txt')).not.toMatch(/\d tokens/)
    },
    'the licence, by its SPDX identifier and in a sentence': async (shop) => {
      expect(shop.bundle).toContain(`License: ${site.license.spdx}. ${site.license.sentence}`)
      expect(await shop.free(`/posts/${heard}.md`)).not.toContain(site.license.spdx)
    },
    'the SHA-256 of each text': (shop) => {
      for (const section of sectionsOf(shop).slice(1))
        expect(section).toContain(`\nSHA-256 of the text: ${checksum(textOf(section))}\n`)
    },
    'the address of the recording of each post, with its SHA-256, and of its transcript': async (shop) => {
      const [, url = '', sum] = /^Audio: (\S+) \(.*SHA-256 (\w{64})\)$/m.exec(shop.bundle) ?? []
      expect(checksum(new Uint8Array(await (await shop.fetch(url)).arrayBuffer()))).toBe(sum)
      const [, transcript = ''] = /^Transcript: (\S+)$/m.exec(shop.bundle) ?? []
      expect(await shop.free(transcript)).toMatch(/^WEBVTT/)
      expect(await shop.free(`/posts/${heard}.md`)).not.toContain('.mp3')
    },
  },
  'posts-export': {
    'markdown and HTML of every post, however many there are, each with its SHA-256': async (shop) => {
      for (const post of shop.exported.posts) {
        expect(post.markdownSha256).toBe(checksum(post.contentMarkdown))
        expect(post.htmlSha256).toBe(checksum(post.contentHtml))
        expect(post.contentHtml).not.toMatch(/\s(?:href|src)="(?!https?:|mailto:|data:)/)
      }
      for (const item of await feedItems(shop)) expect(String(Object.keys(item))).not.toMatch(/markdown|sha256/i)
    },
    'every sentence of a recording with its times, and the SHA-256 of the recording': async (shop) => {
      const { narration } = postOf(shop, heard)
      if (!narration) throw new Error('it was not heard')
      expect(narration.transcript).toEqual(
        shop.episode.cues.map(({ text, startMs, endMs }) => ({ text, start: startMs / 1000, end: endMs / 1000 })),
      )
      expect(narration.sha256).toBe(checksum(new Uint8Array(await (await shop.fetch(narration.url)).arrayBuffer())))
    },
    'the licence, words and tokens of each post': async (shop) => {
      expect(shop.exported.license).toEqual(site.license)
      for (const { license, wordCount, tokens } of shop.exported.posts)
        expect([license, wordCount > 100, tokens > wordCount / 2]).toEqual([site.license.spdx, true, true])
      for (const item of await feedItems(shop)) expect(String(Object.keys(item))).not.toMatch(/licen|words|tokens/i)
    },
    'a JSON Schema that it conforms to': async (shop) => {
      const [address = '', pointer = ''] = shop.exported.schema.split('#')
      const openapi = JSON.parse(await shop.free(address))
      const schema = pointer
        .split('/')
        .slice(1)
        .reduce((part, name) => part[name], openapi)
      const ajv = addFormats.default(new Ajv2020({ strict: false }))
      const fits = ajv.compile(schema)
      expect(fits(shop.exported) || fits.errors).toBe(true)
      expect(fits({ ...shop.exported, posts: [{}] })).toBe(false)
    },
    'with `format=jsonl` one post on each line, for tools that read data sets': async (shop) => {
      const answer = await shop.buy('/api/export/posts?format=jsonl')
      expect(answer.headers.get('content-type')).toBe('application/jsonl; charset=utf-8')
      const lines = (await answer.text()).trimEnd().split('\n')
      expect(lines.map((line) => JSON.parse(line))).toEqual(shop.exported.posts)
    },
    'with `since=` only what has changed, uncharged if nothing has': async (shop) => {
      const dates = shop.exported.posts.map(({ publishedAt, updatedAt }) => updatedAt ?? publishedAt).toSorted()
      const from = dates.at(-3) ?? ''
      const some = postsExportSchema.parse(await (await shop.buy(`/api/export/posts?since=${from}`)).json())
      expect(some.posts.map(({ slug }) => slug)).toEqual(
        shop.exported.posts.filter((post) => (post.updatedAt ?? post.publishedAt) >= from).map(({ slug }) => slug),
      )
      expect([some.count, some.since, some.posts.length < shop.exported.count]).toEqual([some.posts.length, from, true])
      const { length } = await shop.money.transfersTo()
      const none = await shop.buy('/api/export/posts?since=2999-01-01')
      expect([none.status, await none.json()]).toMatchObject([
        400,
        { charged: false, errors: [{ parameter: 'since' }] },
      ])
      expect(await shop.money.transfersTo()).toHaveLength(length)
    },
  },
}
