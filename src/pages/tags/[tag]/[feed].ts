import type { APIRoute, GetStaticPaths } from 'astro'
import site from '../../../../site.config.ts'
import { getPosts } from '../../../content/posts.ts'
import { groupByTag, tagPath } from '../../../content/tags.ts'
import { makeFeed, toKeyOfFeed } from '../../../endpoints/feed-route.ts'
import { type FeedFile, feedForms } from '../../../feeds/feed-forms.ts'

export const getStaticPaths = (async () =>
  Promise.all(
    groupByTag(await getPosts()).flatMap(({ tag, posts }) =>
      feedForms.map(async ({ file }) => ({
        params: { tag, feed: file },
        props: { tag, file },
        cacheKey: await toKeyOfFeed(posts, tagPath(tag)),
      })),
    ),
  )) satisfies GetStaticPaths

/** The feed of one tag's posts, in one of the formats of the site's feeds. */
export const GET: APIRoute<{ tag: string; file: FeedFile }> = ({ props: { tag, file } }) =>
  makeFeed(`/tags/{tag}/${file}`, file, {
    title: `${site.name}: ${tag}`,
    description: `Posts about ${tag}.`,
    path: tagPath(tag),
    has: ({ data }) => data.tags.includes(tag),
  })
