import site from '../../site.config.ts'
import { toSlug } from './to-slug.ts'

/** Somebody who writes here, as `site.config.ts` says it. */
export interface Author {
  /** As posts name them. */
  readonly name: string
  /** A sentence or two. */
  readonly about: string
  /** Their own place on the web. */
  readonly link?: string
  /** Name of a file in `content/authors`. */
  readonly picture?: string
}

const listed: readonly Author[] = site.authors
/** Of one author every byline would say the same. */
export const areSeveral = listed.length > 1

interface Signed {
  readonly author?: string | undefined
  readonly authors?: readonly string[] | undefined
}

/** Who wrote a post: whom it names, or whose site it is. */
export const authorNames = ({ author, authors }: Signed): readonly string[] => authors ?? [author ?? site.author]

const list = new Intl.ListFormat(site.language, { type: 'conjunction' })

/** Who wrote a post, in words. */
export const toByline = (signed: Signed): string => list.format(authorNames(signed))

/** Where the posts of an author are. */
export const authorPath = ({ name }: Pick<Author, 'name'>): `/${string}` => `/authors/${toSlug(name)}`

/** Who signs a post, with the page of whoever has one. */
export interface Signature {
  readonly name: string
  readonly path?: string | undefined
  readonly link?: string | undefined
}

/** The signatures of a post. */
export const toSignatures = (signed: Signed, authors = listed): Signature[] =>
  authorNames(signed).map((name) => {
    const author = authors.find((one) => one.name === name)
    return { name, ...(author && { path: authorPath(author), link: author.link }) }
  })

/**
 * The authors who have a page, in the order of `site.config.ts`, each with their posts in the order given.
 *
 * @throws Error when two would have one address
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
