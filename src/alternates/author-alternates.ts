import { type Author, authorPath, groupByAuthor } from '../content/authors.ts'
import type { RenderedPost } from '../content/posts-export.ts'
import type { Alternate } from '../core/alternate.ts'
import { toLinkList, toSections } from '../core/markdown.ts'
import { toFeedLine } from './feed-line.ts'
import { newestOf, toPostLine } from './post-alternate.ts'

/** The page of each author who has posts, with these posts. */
export const toAuthorAlternates = (posts: readonly RenderedPost[], authors?: readonly Author[]): Alternate[] =>
  groupByAuthor(posts, authors).map(({ author, posts: written }) => ({
    path: authorPath(author),
    title: author.name,
    summary: author.about,
    updatedAt: newestOf(written),
    body: toSections(
      author.link && `<${author.link}>`,
      toLinkList(written.map(toPostLine)),
      toFeedLine(authorPath(author)),
    ),
  }))
