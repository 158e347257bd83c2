/** Text without marks, space and the addresses of links, so that only its words are compared. */
const toWords = (text: string): string => text.replace(/\]\([^)]*\)/g, '').replace(/[^\p{L}\p{N}]+/gu, '')

/** How many of some sentences a text holds, as a part of all. */
export function shareOf(sentences: readonly string[], text: string): number {
  const words = toWords(text)
  const found = sentences.filter((sentence) => words.includes(toWords(sentence)))
  return sentences.length === 0 ? 0 : found.length / sentences.length
}
