/**
 * A text as one line of at most `most` UTF-16 code units: characters that break lines, are invisible or change the
 * writing direction become spaces.
 */
export const toOneLine = (text: string, most: number): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, most)
    .toWellFormed()
