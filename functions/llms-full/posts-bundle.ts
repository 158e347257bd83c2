import { type Section, toBundle } from '../../src/content/bundle.ts'
import type { ExportedPost, PostsExport } from '../../src/content/posts-export-schema.ts'
import type { Offer } from '../../src/offers/offer.ts'

const day = (instant: string): string => instant.slice(0, 10)
const about = (tokens: number): string => `about ${tokens} tokens`

/** All posts as one text: first a section of contents, then one for each post, in the order given. */
export const toPostsBundle = (exported: PostsExport, { title, path }: Pick<Offer, 'title' | 'path'>): string =>
  toBundle([
    { title: `${exported.site.title}: ${title}`, url: exported.site.url + path, body: toContents(exported) },
    ...exported.posts.map(toSection),
  ])

/** The contents: title, date and tokens of each post, so that a reader with a token limit can choose. */
const toContents = ({ exportedAt, count, tokens, license, posts }: PostsExport): string =>
  [
    `Posts: ${count}, newest first, ${about(tokens)} together. As of ${exportedAt}.`,
    `License: ${license.spdx}. ${license.sentence}`,
    'Each section: title, address, facts, an empty line, the text as markdown. Sections are parted by a line of three hyphens; such a line in a text has a backslash before it, which the SHA-256 of the text is without.',
    '',
    ...posts.map((post, place) => `${place + 1}. ${post.title} (${day(post.publishedAt)}, ${about(post.tokens)})`),
  ].join('\n')

function toSection(post: ExportedPost): Section {
  return { title: post.title, url: post.url, body: `${toFacts(post).join('\n')}\n\n${post.contentMarkdown}` }
}

function toFacts({ narration, tags, ...post }: ExportedPost): string[] {
  const changed = post.updatedAt === null ? '' : `, changed ${day(post.updatedAt)}`
  return [
    `Published ${day(post.publishedAt)}${changed}, by ${post.author}, ${post.language}, ${about(post.tokens)}, ${post.license}`,
    ...(tags.length > 0 ? [`Tags: ${tags.join(', ')}`] : []),
    `SHA-256 of the text: ${post.markdownSha256}`,
    ...(narration
      ? [
          `Audio: ${narration.url} (${narration.duration}, ${narration.sizeBytes} bytes${narration.sha256 === null ? '' : `, SHA-256 ${narration.sha256}`})`,
          `Transcript: ${narration.transcriptUrl}`,
        ]
      : []),
  ]
}
