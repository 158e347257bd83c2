import type { RenderedPost } from '../content/posts-export.ts'
import { groupBySeries, seriesPath } from '../content/series.ts'
import type { Alternate } from '../core/alternate.ts'
import { toLinkList } from '../core/markdown.ts'
import { newestOf, toPostLine } from './post-alternate.ts'

/** The page of each series, with its parts in their order. */
export const toSeriesAlternates = (posts: readonly RenderedPost[]): Alternate[] =>
  groupBySeries(posts.map((post) => ({ ...post, id: post.slug }))).map((series) => ({
    path: seriesPath(series),
    title: series.name,
    summary: `A series of ${series.count === 1 ? 'one part' : `${series.count} parts`}, in reading order.`,
    updatedAt: newestOf(series.parts.map(({ post }) => post)),
    body: toLinkList(
      series.parts.map(({ number, post }) => {
        const line = toPostLine(post)
        return { ...line, about: `part ${number}. ${line.about}` }
      }),
    ),
  }))
