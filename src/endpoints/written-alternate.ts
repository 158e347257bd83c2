import { toAbsoluteMarkdown } from '../content/absolute-markdown.ts'
import type { Alternate } from '../core/alternate.ts'
import { toAlternateText } from './alternate-text.ts'

/**
 * The markdown file of a page that somebody wrote: its links are whole, so that the text can be read anywhere, and code
 * says what it said. Build-time only.
 */
export const toWrittenAlternate = (alternate: Alternate, baseUrl: string): string =>
  toAlternateText(
    { ...alternate, body: toAbsoluteMarkdown(alternate.body, encodeURI(baseUrl + alternate.path)) },
    baseUrl,
  )
