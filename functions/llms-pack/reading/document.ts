import { estimateTokens } from '../../../src/core/estimate-tokens.ts'
import { cleanText } from '../clean-text.ts'
import { escapeTags } from '../html/inline-to-markdown.ts'
import { cutText } from './cut-text.ts'

/** What a server sent, and how much of it is wanted. */
export interface DocumentTask {
  /** Of the last hop; links are relative to it. */
  readonly url: string
  readonly contentType: string
  readonly body: Uint8Array
  /** The body was longer than it was read. */
  readonly isCut: boolean
  readonly maxChars: number
}

/** A text that was read, or in a few words why there is none. */
export type ReadDocument =
  | {
      readonly is: 'read'
      readonly title: string
      readonly text: string
      /** Media type, without parameters; empty when its server named none. */
      readonly type: string
      /** Of what was sent, unpacked. */
      readonly bytes: number
      /** About how many the text is for current models. */
      readonly tokens: number
    }
  | { readonly is: 'unread'; readonly reason: string }

const longestTitle = 300
const longestType = 40

/** Why there is no text. */
export const unread = (reason: string): ReadDocument => ({ is: 'unread', reason })

/** How much is read for so many characters: one may be two units long, and cleaning takes some away. */
export const enoughFor = (maxChars: number): number => 3 * maxChars

/** The words of a stranger's text, and nothing that commands or hides. */
export const toWords = (text: string, maxChars: number): string => cleanText(text.slice(0, enoughFor(maxChars))).trim()

/** A text that was read, as it can stand in a bundle. */
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
