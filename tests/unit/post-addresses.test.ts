import { describe, expect, it } from 'vitest'
import { makeIdRegister, toPlainId } from '../../src/content/content-folder.ts'
import { toExportedTexts, toPostsExport } from '../../src/content/posts-export.ts'
import { toPodcastPost } from '../../src/feeds/podcast/podcast-post.ts'
import { readTarget } from '../../src/http/canonical-path.ts'
import type { Episode } from '../../src/narration/episodes/episode.ts'
import { audioPath } from '../../src/narration/placeholders/narration-texts.ts'
import { makeTranscriptSearch } from '../../src/search/transcripts/search-transcripts.ts'

const baseUrl = 'https://press.example'
const at = new Date(0)
const data = { title: 'A', excerpt: 'B', publishedAt: at, author: 'C', tags: [], language: 'en' }

describe.each(['Größer, Café.mdx', 'C++.mdx', 'Q&A @home.mdx', "It's =(1).mdx", 'v1.0!.mdx'])('a file %j', (file) => {
  const slug = makeIdRegister()(toPlainId(file), file)
  const post = { slug, data, markdown: '', texts: toExportedTexts({ slug, markdown: '', html: '' }, baseUrl) }
  const cues = [{ text: 'heard', startMs: 7000, endMs: 8000 }]
  const episode: Episode = {
    ...{ slug, storageKey: `${slug}-0123456789abcdef`, title: 'A', language: 'en', voiceId: 'v' },
    ...{ durationMs: 9000, sizeBytes: 1, createdAt: at.toISOString(), cues, chapters: [] },
  }
  const episodes = { find: () => episode, findFile: () => undefined, all: () => [episode], version: () => 1 }
  const [hit] = makeTranscriptSearch(episodes, baseUrl)({ q: 'heard', limit: 1, post: undefined }).hits

  it.each([
    ['its episode', toPodcastPost(post, baseUrl).url],
    ['its recording', baseUrl + audioPath(episode.storageKey)],
    ['the export', toPostsExport([post], baseUrl).posts[0]?.url ?? ''],
    ['what was said in it', hit?.deepLinkUrl ?? ''],
  ])('has one percent-encoded address in %s', (_, url) => {
    expect(url).toMatch(/^[!-~]+$/)
    const target = readTarget(url.slice(baseUrl.length))
    expect(target).toMatchObject({ is: 'path', path: expect.stringContaining(encodeURI(slug)) })
  })
})

it.each(['What now?.mdx', 'We are #1.mdx', '100% sure.mdx', 'a;b.mdx', 'back\\slash.mdx'])(
  'a file %j cannot have an address, and the build says so',
  (file) => {
    expect(() => makeIdRegister()(toPlainId(file), `content/posts/${file}`)).toThrow(
      /^content\/posts\/.*:1: .*rename it/,
    )
  },
)

it.each(['a.md.mdx', 'Tides.MD.mdx', 'a.vtt.mdx', 'a.transcript.json.mdx', 'a.chapters.json.mdx'])(
  'a file %j would have an address of another document, and the build says so',
  (file) => {
    expect(() => makeIdRegister()(toPlainId(file), `content/posts/${file}`)).toThrow(
      /^content\/posts\/.*:1: would have the address .*, which is reserved for the \.[\w.]+ of \w+; rename it$/,
    )
  },
)
