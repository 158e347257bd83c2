import type { RenderedPost } from '../content/posts-export.ts'
import { groupByTag, tagPath } from '../content/tags.ts'
import type { Alternate } from '../core/alternate.ts'
import { toLinkList, toSections } from '../core/markdown.ts'
import { toFeedLine } from './feed-line.ts'
import { newestOf, toPostLine } from './post-alternate.ts'

const count = (posts: readonly unknown[]): string => (posts.length === 1 ? 'One post' : `${posts.length} posts`)

/** The list of tags, and a list of posts for each. */
export function toTagAlternates(posts: readonly RenderedPost[]): Alternate[] {
  const groups = groupByTag(posts)
  return [
    {
      path: '/tags',
      title: 'Tags',
      summary: 'Posts by topic.',
      updatedAt: newestOf(posts),
      body:
        toLinkList(
          groups.map(({ tag, posts: tagged }) => ({ title: tag, path: tagPath(tag), about: count(tagged) })),
        ) || 'Nothing is published yet.',
    },
    ...groups.map(({ tag, posts: tagged }) => ({
      path: tagPath(tag),
      title: tag,
      summary: `${count(tagged)} about ${tag}, newest first.`,
      updatedAt: newestOf(tagged),
      body: toSections(toLinkList(tagged.map(toPostLine)), toFeedLine(tagPath(tag))),
    })),
  ]
}
