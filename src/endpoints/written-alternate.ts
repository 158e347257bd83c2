import { toAbsoluteMarkdown } from '../content/absolute-markdown.ts'
import type { Alternate } from '../core/alternate.ts'
import { toAlternateText } from './alternate-text.ts'

/**
 * The markdown file of a page that an author wrote: its links become absolute, so that the text can be read anywhere;
 * code blocks stay as they are. Only for use at build time.
 */
export const toWrittenAlternate = (alternate: Alternate, baseUrl: string): string =>
  toAlternateText(
    { ...alternate, body: toAbsoluteMarkdown(alternate.body, encodeURI(baseUrl + alternate.path)) },
    baseUrl,
  )
