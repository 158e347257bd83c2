import { escapeHtml } from './escape-html.ts'

const markup = Symbol('markup')

/** A piece of a page in which everything that is not ours has been escaped. Only `html` makes one. */
export interface Html {
  readonly [markup]: string
}

/** What may stand in a template. Text is escaped; what is absent writes nothing. */
export type Part = Html | string | number | false | null | undefined | readonly Part[]

function write(part: Part): string {
  if (part === undefined || part === null || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return markup in part ? part[markup] : part.map(write).join('')
}

/**
 * A template of a page.
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

/** A piece of a page as text. */
export const toMarkup = (part: Html): string => write(part)

/** A whole document as text. */
export const toDocument = (page: Html): string => `<!doctype html>\n${write(page)}`

/** A whole document as an answer. Pages change with every release and are small: browsers ask each time. */
export const toHtmlResponse = (page: Html, status = 200): Response =>
  new Response(toDocument(page), {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
  })
