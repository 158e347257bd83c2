import site from '../../../site.config.ts'
import type { Shop } from '../../config/shop.ts'
import { toSignatures } from '../../content/authors.ts'
import type { PostImages } from '../../content/post-images.ts'
import { type Post, postPath } from '../../content/posts.ts'
import { type SeriesPlace, seriesPath } from '../../content/series.ts'

interface Input {
  readonly post: Post
  readonly images: Pick<PostImages, 'cover' | 'card'>
  readonly words: number
  readonly place: SeriesPlace<Post> | undefined
}

/** Metadata of a post for search engines (schema.org BlogPosting): authors, dates, and its place in a series. */
export function toPostData({ post, images, words, place }: Input, { baseUrl }: Pick<Shop, 'baseUrl'>) {
  const { title, excerpt, publishedAt, updatedAt, tags, language } = post.data
  const signed = toSignatures(post.data).map(({ name, path, link }) => ({
    '@type': name === site.author ? 'Organization' : 'Person',
    name,
    ...(path && { url: encodeURI(baseUrl + path) }),
    ...(link && { sameAs: link }),
  }))
  return {
    '@type': 'BlogPosting',
    headline: title,
    description: excerpt,
    image: [baseUrl + images.cover.src, baseUrl + images.card.src],
    datePublished: publishedAt.toISOString(),
    dateModified: (updatedAt ?? publishedAt).toISOString(),
    author: signed.length === 1 ? signed[0] : signed,
    publisher: { '@type': 'Organization', name: site.name, url: baseUrl },
    url: encodeURI(baseUrl + postPath(post)),
    mainEntityOfPage: encodeURI(baseUrl + postPath(post)),
    inLanguage: language,
    wordCount: words,
    keywords: tags.join(', '),
    isAccessibleForFree: true,
    ...(place && {
      isPartOf: {
        '@type': 'CreativeWorkSeries',
        name: place.series.name,
        url: encodeURI(baseUrl + seriesPath(place.series)),
      },
      position: place.number,
    }),
  }
}
