/** The number of words in a text, for scripts that separate words; code counts, too. */
export const wordCount = (text: string): number => text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu)?.length ?? 0
