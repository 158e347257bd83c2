import { toSignatures } from './authors.ts'
import type { Post } from './posts.ts'
import { seriesPath } from './series.ts'
import { tagPath } from './tags.ts'
import { toSlug } from './to-slug.ts'

/** The paths of the pages that list a post: those of its tags, of its series and of its authors. */
export const listPathsOf = ({ data }: Pick<Post, 'data'>): string[] => [
  ...data.tags.map(tagPath),
  ...(data.series ? [seriesPath({ slug: toSlug(data.series.name) })] : []),
  ...toSignatures(data).flatMap(({ path }) => path ?? []),
]
