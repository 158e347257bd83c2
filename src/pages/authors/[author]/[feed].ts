import type { APIRoute, GetStaticPaths } from 'astro'
import site from '../../../../site.config.ts'
import { type Author, authorNames, authorPath, groupByAuthor } from '../../../content/authors.ts'
import { getPosts } from '../../../content/posts.ts'
import { toSlug } from '../../../content/to-slug.ts'
import { makeFeed, toKeyOfFeed } from '../../../endpoints/feed-route.ts'
import { type FeedFile, feedForms } from '../../../feeds/feed-forms.ts'

export const getStaticPaths = (async () =>
  Promise.all(
    groupByAuthor(await getPosts()).flatMap(({ author, posts }) =>
      feedForms.map(async ({ file }) => ({
        params: { author: toSlug(author.name), feed: file },
        props: { author, file },
        cacheKey: await toKeyOfFeed(posts, authorPath(author)),
      })),
    ),
  )) satisfies GetStaticPaths

/** The feed of one author's posts, in one of the formats of the site's feeds. */
export const GET: APIRoute<{ author: Author; file: FeedFile }> = ({ props: { author, file } }) =>
  makeFeed(`/authors/{author}/${file}`, file, {
    title: `${site.name}: ${author.name}`,
    description: author.about,
    path: authorPath(author),
    has: ({ data }) => authorNames(data).includes(author.name),
  })
