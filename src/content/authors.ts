import site from '../../site.config.ts'
import { toSlug } from './to-slug.ts'

/** An author, as listed in `site.config.ts`. */
export interface Author {
  /** The name that posts use in `author` or `authors`. */
  readonly name: string
  /** A sentence or two. */
  readonly about: string
  /** Their own place on the web. */
  readonly link?: string
  /** Name of a file in `content/authors`. */
  readonly picture?: string
}

const listed: readonly Author[] = site.authors
/** Whether bylines link to the pages of authors: with a single author, every byline would have the same link. */
export const areSeveral = listed.length > 1

interface Signed {
  readonly author?: string | undefined
  readonly authors?: readonly string[] | undefined
}

/** The names of a post's authors; the site's author when it names none. */
export const authorNames = ({ author, authors }: Signed): readonly string[] => authors ?? [author ?? site.author]

const list = new Intl.ListFormat(site.language, { type: 'conjunction' })

/** The authors of a post as a phrase in the site's language. */
export const toByline = (signed: Signed): string => list.format(authorNames(signed))

/** The path of the page that lists an author's posts. */
export const authorPath = ({ name }: Pick<Author, 'name'>): `/${string}` => `/authors/${toSlug(name)}`

/** One name in a byline. Path and link are there for authors whom `site.config.ts` lists. */
export interface Signature {
  readonly name: string
  readonly path?: string | undefined
  readonly link?: string | undefined
}

/** The names in the byline of a post. */
export const toSignatures = (signed: Signed, authors = listed): Signature[] =>
  authorNames(signed).map((name) => {
    const author = authors.find((one) => one.name === name)
    return { name, ...(author && { path: authorPath(author), link: author.link }) }
  })

/**
 * The listed authors who have posts, in the order of `site.config.ts`, each with their posts in the given order.
 *
 * @throws Error when two authors would have the same address, or a name has no letter or digit
 */
export function groupByAuthor<Post extends { data: Signed }>(
  posts: readonly Post[],
  authors = listed,
): { author: Author; posts: Post[] }[] {
  const names = new Map<string, string>()
  for (const { name } of authors) {
    const path = authorPath({ name })
    const other = names.get(path)
    if (other !== undefined || path === authorPath({ name: '' }))
      throw new Error(`site.config.ts: authors: ${name} would have the address ${path} of ${other ?? 'nobody'}; rename`)
    names.set(path, name)
  }
  return authors
    .map((author) => ({ author, posts: posts.filter(({ data }) => authorNames(data).includes(author.name)) }))
    .filter(({ posts: signed }) => signed.length > 0)
}
