/** The markdown form of an HTML page, made from the same data and never from the HTML. */
export interface Alternate {
  /** The path of the HTML page from the root: `/`, `/posts/x`. */
  readonly path: `/${string}`
  /** The page's own first heading. */
  readonly title: string
  /** One or two sentences. */
  readonly summary: string
  /** The markdown below title and summary; addresses in it may be relative to the root. */
  readonly body: string
  /** When the content of the page last changed; absent where that is not known. */
  readonly updatedAt?: Date | undefined
}

/** The path of the markdown form of the page at this path. */
export const alternatePath = (path: string): `/${string}` => (path === '/' ? '/index.md' : `/${path.slice(1)}.md`)
