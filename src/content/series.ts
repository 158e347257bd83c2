import { toSlug } from './to-slug.ts'

/** The fields of a post that place it in a series. */
interface Part {
  readonly id: string
  readonly data: {
    readonly publishedAt: Date
    readonly series?: { readonly name: string; readonly part?: number | undefined } | undefined
  }
}

/** Posts with a fixed reading order. */
export interface Series<Post> {
  readonly name: string
  readonly slug: string
  /** The parts in their order. Numbers may be missing while parts are not published. */
  readonly parts: readonly { readonly number: number; readonly post: Post }[]
  /** The number of the last published part. */
  readonly count: number
}

/** The path of the page that lists a series. */
export const seriesPath = ({ slug }: { readonly slug: string }): `/${string}` => `/series/${slug}`

/**
 * Every series of these posts, the one with the newest part first. Parts are sorted by number, or by date where they
 * have no numbers.
 *
 * @param newestFirst all published posts
 * @throws Error with sentences that name files, when two posts claim the same number, two names of series the same
 * address, or only some parts of a series have numbers
 */
export function groupBySeries<Post extends Part>(newestFirst: readonly Post[]): Series<Post>[] {
  const groups = Map.groupBy(
    newestFirst.filter(({ data }) => data.series !== undefined),
    ({ data }) => toSlug(data.series?.name ?? ''),
  )
  const faults = [...groups.values()].flatMap(findFaults)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return [...groups].map(([slug, posts]) => {
    const parts = posts
      .toReversed()
      .map((post, place) => ({ number: post.data.series?.part ?? place + 1, post }))
      .toSorted((a, b) => a.number - b.number)
    return { slug, name: posts[0]?.data.series?.name ?? slug, parts, count: parts.at(-1)?.number ?? 0 }
  })
}

function findFaults(posts: readonly Part[]): string[] {
  const [first] = posts
  const holders = new Map<number, string>()
  return posts.flatMap((post) => {
    const { name = '', part } = post.data.series ?? {}
    const file = toFile(post)
    const { name: firstName = name, part: firstPart } = first?.data.series ?? {}
    if (name !== firstName) return [`${file}: series ${name} would have the address of ${firstName}; write both alike`]
    if ((part === undefined) !== (firstPart === undefined))
      return [`${file}: series ${name} numbers some of its parts; number all or none`]
    if (part === undefined) return []
    const holder = holders.get(part)
    holders.set(part, file)
    return holder === undefined
      ? []
      : [`${file}: part ${part} of the series ${name} is ${holder}; renumber one of them`]
  })
}

const toFile = ({ id }: Part): string => `content/posts/${id}.mdx`

/** The place of a post in its series. */
export interface SeriesPlace<Post> {
  readonly series: Series<Post>
  readonly number: number
  readonly next: Post | undefined
}

/** The place of a post in its series; undefined for a post that is in none. */
export function findSeriesPlace<Post extends Part>(
  all: readonly Series<Post>[],
  id: string,
): SeriesPlace<Post> | undefined {
  for (const series of all) {
    const place = series.parts.findIndex(({ post }) => post.id === id)
    const part = series.parts[place]
    if (part) return { series, number: part.number, next: series.parts[place + 1]?.post }
  }
  return undefined
}
