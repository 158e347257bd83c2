import site from '../../site.config.ts'
import type { Post } from './posts.ts'

/** The path of the page that lists the posts of a tag. */
export const tagPath = (tag: string): `/${string}` => `/tags/${tag}`

const { compare } = new Intl.Collator(site.language, { numeric: true })

/** The posts of every tag, in the given order. The tag with most posts comes first; equal ones are sorted by name. */
export function groupByTag<Tagged extends { data: Pick<Post['data'], 'tags'> }>(
  posts: readonly Tagged[],
): { tag: string; posts: Tagged[] }[] {
  const groups = new Map<string, Tagged[]>()
  for (const post of posts)
    for (const tag of new Set(post.data.tags)) groups.set(tag, [...(groups.get(tag) ?? []), post])
  return [...groups]
    .map(([tag, tagged]) => ({ tag, posts: tagged }))
    .toSorted((a, b) => b.posts.length - a.posts.length || compare(a.tag, b.tag))
}
