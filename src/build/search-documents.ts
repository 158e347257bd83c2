import { getCollection } from 'astro:content'
import type { APIRoute } from 'astro'
import site from '../../site.config.ts'
import { getWriting } from '../content/get-writing.ts'
import { getPosts, type Post, postPath } from '../content/posts.ts'
import { toPlainText } from '../content/to-plain-text.ts'
import type { SearchDocument } from '../search/search-document.ts'

/**
 * What search finds, written by `astro build` for the step that makes the index from it: only here are drafts and
 * posts of the future known. The route is injected into builds, and the build moves what it writes away.
 */
export const prerender = true

const toPostDocument = async (post: Post): Promise<SearchDocument> => ({
  collection: 'posts',
  slug: post.id,
  url: encodeURI(postPath(post)),
  title: post.data.title,
  excerpt: post.data.excerpt,
  body: toPlainText(await getWriting(post)),
  publishedAt: post.data.publishedAt.toISOString(),
  language: post.data.language,
})

export const GET: APIRoute = async () => {
  const [posts, pages] = await Promise.all([getPosts(), getCollection('pages')])
  const pageDocuments = pages.map(
    async (page): Promise<SearchDocument> => ({
      collection: 'pages',
      slug: page.id,
      url: encodeURI(`/${page.id}`),
      title: page.data.title,
      excerpt: page.data.excerpt,
      body: toPlainText(await getWriting(page)),
      language: site.language,
    }),
  )
  return Response.json(await Promise.all([...posts.map(toPostDocument), ...pageDocuments]))
}
