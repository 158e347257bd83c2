import { toLinkList } from '../../markdown.ts'
import type { RenderedPost } from '../posts-export.ts'
import { tagPath, toShelves } from '../tags.ts'
import { toPostLine } from './post-twin.ts'
import type { Twin } from './twin.ts'

const count = (posts: readonly unknown[]): string => (posts.length === 1 ? 'One post' : `${posts.length} posts`)

const newest = (posts: readonly RenderedPost[]): Date =>
  new Date(Math.max(...posts.map(({ data }) => (data.updatedAt ?? data.publishedAt).getTime())))

/** The list of tags, and a list of posts for each. */
export function toTagTwins(posts: readonly RenderedPost[]): Twin[] {
  const shelves = toShelves(posts)
  return [
    {
      path: '/tags',
      title: 'Tags',
      summary: 'The posts by what they are about.',
      ...(posts.length > 0 && { updatedAt: newest(posts) }),
      body:
        toLinkList(
          shelves.map(({ tag, posts: tagged }) => ({ title: tag, path: tagPath(tag), about: count(tagged) })),
        ) || 'Nothing is published yet.',
    },
    ...shelves.map(({ tag, posts: tagged }) => ({
      path: tagPath(tag),
      title: tag,
      summary: `${count(tagged)} about ${tag}, newest first.`,
      updatedAt: newest(tagged),
      body: toLinkList(tagged.map(toPostLine)),
    })),
  ]
}
