/** An HTML page as markdown, made from the same data and never from the HTML. */
export interface Alternate {
  /** Of the HTML page, from the root: `/`, `/posts/x`. */
  readonly path: `/${string}`
  /** The page's own first heading. */
  readonly title: string
  /** One or two sentences. */
  readonly summary: string
  /** What follows them; addresses may be relative to the root. */
  readonly body: string
  /** When its content last changed, where that is known. */
  readonly updatedAt?: Date | undefined
}

/** Where a page's markdown is. */
export const alternatePath = (path: string): `/${string}` => (path === '/' ? '/index.md' : `/${path.slice(1)}.md`)
