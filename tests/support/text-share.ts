/** Text without markup, white space and link addresses, so that only its words are compared. */
const toWords = (text: string): string => text.replace(/\]\([^)]*\)/g, '').replace(/[^\p{L}\p{N}]+/gu, '')

/** The share of these sentences that a text contains, from 0 to 1. */
export function shareOf(sentences: readonly string[], text: string): number {
  const words = toWords(text)
  const found = sentences.filter((sentence) => words.includes(toWords(sentence)))
  return sentences.length === 0 ? 0 : found.length / sentences.length
}
