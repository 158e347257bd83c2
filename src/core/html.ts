import { escapeHtml } from './escape-html.ts'

const markup = Symbol('markup')

/** A piece of HTML in which every inserted text has been escaped. Only `html` and `toStructuredData` make one. */
export interface Html {
  readonly [markup]: string
}

/** A value that a template can insert. Text is escaped; undefined, null and false write nothing. */
export type Part = Html | string | number | false | null | undefined | readonly Part[]

function write(part: Part): string {
  if (part === undefined || part === null || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return markup in part ? part[markup] : part.map(write).join('')
}

/**
 * The template tag for pages: it escapes the inserted text.
 *
 * @example
 * html`<p>${player.name} died of ${cause}.</p>`
 */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  [markup]: texts.reduce((page, text, at) => page + write(parts[at - 1]) + text),
})

/** Structured data for search engines (schema.org). `<` is escaped so that no text can end the element. */
export const toStructuredData = (data: object): Html => ({
  [markup]: `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c')}</script>`,
})

/** A piece of HTML as a string. */
export const toMarkup = (part: Html): string => write(part)

/** A whole HTML document as a string, with its doctype. */
export const toDocument = (page: Html): string => `<!doctype html>\n${write(page)}`

/**
 * A whole HTML document as a response. It is not cached without revalidation (`no-cache`), because pages are small and
 * change with every release.
 */
export const toHtmlResponse = (page: Html, status = 200): Response =>
  new Response(toDocument(page), {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
  })
