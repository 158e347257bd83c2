/** One line of text, whatever is in it: nothing that breaks lines, hides, or turns the direction of writing. */
export const toOneLine = (text: string, most: number): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, most)
    .toWellFormed()
