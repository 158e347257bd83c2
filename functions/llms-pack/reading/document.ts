import { estimateTokens } from '../../../src/core/estimate-tokens.ts'
import { cleanText } from '../clean-text.ts'
import { escapeTags } from '../html/inline-to-markdown.ts'
import { cutText } from './cut-text.ts'

/** What a server sent, and how much of it is wanted. */
export interface DocumentTask {
  /** Address after all redirects; links are relative to it. */
  readonly url: string
  readonly contentType: string
  readonly body: Uint8Array
  /** Whether the body was longer than the part that was read. */
  readonly isCut: boolean
  readonly maxChars: number
}

/** A document as its server sent it. */
export interface SentDocument extends DocumentTask {
  /** The content encodings that the body still has, and the largest decoded body in bytes; absent when it has none. */
  readonly encoding?: { readonly names: string; readonly maxBytes: number }
}

/** The reason for a body that cannot be decoded. */
export const notUnderstood = 'the answer was not understood'

/** A document that was read, or a short reason why it was not. */
export type ReadDocument =
  | {
      readonly is: 'read'
      readonly title: string
      readonly text: string
      /** Media type, without parameters; empty when its server named none. */
      readonly type: string
      /** Size of the body after decompression. */
      readonly bytes: number
      /** Estimated tokens of the text for current models. */
      readonly tokens: number
    }
  | { readonly is: 'unread'; readonly reason: string }

const longestTitle = 300
const longestType = 40

/** A document that could not be read, for `reason`. */
export const unread = (reason: string): ReadDocument => ({ is: 'unread', reason })

/**
 * UTF-16 units that are read to get `maxChars` characters: a character may take two units, and cleaning removes some.
 */
export const enoughFor = (maxChars: number): number => 3 * maxChars

/** Untrusted text cleaned by `cleanText`, as far as it is needed for `maxChars` characters. */
export const toWords = (text: string, maxChars: number): string => cleanText(text.slice(0, enoughFor(maxChars))).trim()

/**
 * A text that was read as a result for a bundle: cleaned title, text cut to `maxChars`, media type, size and tokens.
 */
export function toDocument(
  page: { readonly title: string; readonly text: string; readonly isWhole: boolean },
  { contentType, body, isCut, maxChars }: DocumentTask,
): ReadDocument {
  if (page.text === '') return unread('the page has no text')
  const title = escapeTags(cleanText(page.title.slice(0, longestTitle)).replace(/\s+/g, ' ').trim())
  const text = cutText(page.text, maxChars, isCut || !page.isWhole)
  const [named = ''] = contentType.toLowerCase().split(';')
  const type = named.replace(/[^\w.+/-]/g, '').slice(0, longestType)
  return { is: 'read', title, text, type, bytes: body.byteLength, tokens: estimateTokens(text) }
}
