import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import site from '../../site.config.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { type PostsExport, postsExportSchema } from '../../src/content/posts-export-schema.ts'
import { checksum } from '../../src/core/checksum.ts'
import type { Episode } from '../../src/narration/episodes/episode.ts'
import { makeEpisode } from '../support/make-episode.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { readClaims } from '../support/read-claims.ts'
import { type RunningSite, startSite, testBaseUrl, testBuild } from '../support/running-site.ts'
import { payingFetch } from '../support/stock-client.ts'

const heard = 'fair-play'

let money: RunningMoney
let shop: RunningSite
let episode: Episode
let bundle: string
let exported: PostsExport
beforeAll(async () => {
  money = await startMoney()
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-worth-'))
  episode = await makeEpisode({ build: testBuild(), folder: join(dataDir, 'audio'), slug: heard, units: 2 })
  shop = await startSite({ ...money, dataDir })
  bundle = await (await buy('/llms-full.txt')).text()
  exported = postsExportSchema.parse(await (await buy('/api/export/posts')).json())
})
afterAll(async () => {
  await shop?.kill('SIGTERM')
  await money?.stop()
})

const buy = (path: string, init?: RequestInit) =>
  payingFetch(sandboxAccounts.buyer.privateKey, shop.fetch)(testBaseUrl + path, init)
const free = async (path: string): Promise<string> => (await shop.fetch(path)).text()
const feedItems = async () =>
  z.object({ items: z.array(z.looseObject({})) }).parse(JSON.parse(await free('/feed.json'))).items

const sections = () => bundle.split('\n---\n')
/** The text of a section of the bundle, as it was before it was guarded. */
const textOf = (section: string): string => section.slice(section.indexOf('\n\n') + 2).replaceAll(/^\\---$/gm, '---')
const postOf = (slug: string) => {
  const post = exported.posts.find((one) => one.slug === slug)
  if (!post) throw new Error(`the export lacks ${slug}`)
  return post
}

/** How each claim of docs/products.md is held against what was bought, and against what is free. */
const proofs: Record<string, Record<string, () => Promise<void> | void>> = {
  'llms-full': {
    'all posts in one request, parted by lines that no text can forge': () => {
      expect(sections()).toHaveLength(exported.count + 1)
      expect(
        sections()
          .slice(1)
          .map((section) => section.split('\n')[1]),
      ).toEqual(exported.posts.map(({ url }) => url))
    },
    'contents with about how many tokens each post is': async () => {
      const [contents = ''] = sections()
      for (const { title, tokens } of exported.posts) {
        expect(tokens).toBeGreaterThan(500)
        expect(contents).toMatch(new RegExp(`^\\d+\\. ${RegExp.escape(title)} .*about ${tokens} tokens`, 'm'))
      }
      expect(await free('/llms.txt')).not.toMatch(/\d tokens/)
    },
    'the licence, by its SPDX identifier and in a sentence': async () => {
      expect(bundle).toContain(`License: ${site.license.spdx}. ${site.license.sentence}`)
      expect(await free(`/posts/${heard}.md`)).not.toContain(site.license.spdx)
    },
    'the SHA-256 of each text': () => {
      for (const section of sections().slice(1))
        expect(section).toContain(`\nSHA-256 of the text: ${checksum(textOf(section))}\n`)
    },
    'where each post is heard, with the SHA-256 of the recording, and its transcript': async () => {
      const [, url = '', sum] = /^Audio: (\S+) \(.*SHA-256 (\w{64})\)$/m.exec(bundle) ?? []
      expect(checksum(new Uint8Array(await (await shop.fetch(url)).arrayBuffer()))).toBe(sum)
      const [, transcript = ''] = /^Transcript: (\S+)$/m.exec(bundle) ?? []
      expect(await free(transcript)).toMatch(/^WEBVTT/)
      expect(await free(`/posts/${heard}.md`)).not.toContain('.mp3')
    },
  },
  'posts-export': {
    'markdown and HTML of every post, however many there are, each with its SHA-256': async () => {
      for (const post of exported.posts) {
        expect(post.markdownSha256).toBe(checksum(post.contentMarkdown))
        expect(post.htmlSha256).toBe(checksum(post.contentHtml))
        expect(post.contentHtml).not.toMatch(/\s(?:href|src)="(?!https?:|mailto:|data:)/)
      }
      for (const item of await feedItems()) expect(String(Object.keys(item))).not.toMatch(/markdown|sha256/i)
    },
    'every sentence of a recording with its seconds, and the SHA-256 of the recording': async () => {
      const { narration } = postOf(heard)
      if (!narration) throw new Error('it was not heard')
      expect(narration.transcript).toEqual(
        episode.cues.map(({ text, startMs, endMs }) => ({ text, start: startMs / 1000, end: endMs / 1000 })),
      )
      expect(narration.sha256).toBe(checksum(new Uint8Array(await (await shop.fetch(narration.url)).arrayBuffer())))
    },
    'the licence, words and tokens of each post': async () => {
      expect(exported.license).toEqual(site.license)
      for (const { license, wordCount, tokens } of exported.posts)
        expect([license, wordCount > 100, tokens > wordCount / 2]).toEqual([site.license.spdx, true, true])
      for (const item of await feedItems()) expect(String(Object.keys(item))).not.toMatch(/licen|words|tokens/i)
    },
    'a JSON Schema that it fits': async () => {
      const [address = '', pointer = ''] = exported.schema.split('#')
      const openapi = JSON.parse(await free(address))
      const schema = pointer
        .split('/')
        .slice(1)
        .reduce((part, name) => part[name], openapi)
      const ajv = addFormats.default(new Ajv2020({ strict: false }))
      const fits = ajv.compile(schema)
      expect(fits(exported) || fits.errors).toBe(true)
      expect(fits({ ...exported, posts: [{}] })).toBe(false)
    },
    'with `format=jsonl` one post on each line, for tools that read data sets': async () => {
      const answer = await buy('/api/export/posts?format=jsonl')
      expect(answer.headers.get('content-type')).toBe('application/jsonl; charset=utf-8')
      const lines = (await answer.text()).trimEnd().split('\n')
      expect(lines.map((line) => JSON.parse(line))).toEqual(exported.posts)
    },
    'with `since=` only what changed, uncharged when nothing did': async () => {
      const dates = exported.posts.map(({ publishedAt, updatedAt }) => updatedAt ?? publishedAt).toSorted()
      const from = dates.at(-3) ?? ''
      const some = postsExportSchema.parse(await (await buy(`/api/export/posts?since=${from}`)).json())
      expect(some.posts.map(({ slug }) => slug)).toEqual(
        exported.posts.filter((post) => (post.updatedAt ?? post.publishedAt) >= from).map(({ slug }) => slug),
      )
      expect([some.count, some.since, some.posts.length < exported.count]).toEqual([some.posts.length, from, true])
      const { length } = await money.transfersTo()
      const none = await buy('/api/export/posts?since=2999-01-01')
      expect([none.status, await none.json()]).toMatchObject([
        400,
        { charged: false, errors: [{ parameter: 'since' }] },
      ])
      expect(await money.transfersTo()).toHaveLength(length)
    },
  },
}

describe.each(readClaims())('$product', ({ product, claim }) => {
  it(`has what its free rival lacks: ${claim}`, async () => {
    const prove = proofs[product]?.[claim]
    if (!prove) throw new Error('docs/products.md claims what no test holds it to')
    await prove()
  })
})

it('links to this site in full wherever it is read', () => {
  const code = /^(```+)[\s\S]*?^\1$|`[^`\n]*`/gm
  for (const { contentMarkdown } of exported.posts)
    expect(contentMarkdown.replaceAll(code, '')).not.toMatch(/\]\((?!https?:|mailto:)/)
  expect(bundle).toContain(`](${testBaseUrl}/api/catalog.json)`)
})

it('says when it was put together: no earlier than the newest recording in it', () => {
  expect(exported.exportedAt >= episode.createdAt).toBe(true)
  expect(Date.parse(exported.exportedAt)).toBeLessThanOrEqual(Date.now())
})

it('proves nothing that the docs do not claim', () => {
  const claimed = new Set(readClaims().map(({ product, claim }) => `${product}: ${claim}`))
  const proven = Object.entries(proofs).flatMap(([product, all]) =>
    Object.keys(all).map((claim) => `${product}: ${claim}`),
  )
  expect(proven.filter((one) => !claimed.has(one))).toEqual([])
})
