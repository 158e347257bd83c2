/**
 * Characters that fonts draw as nothing although Unicode counts them as letters or symbols: Hangul fillers, the empty
 * Braille pattern, the null note head, blanks of Egyptian hieroglyphs.
 */
const blank = String.raw`\u115f\u1160\u3164\uffa0\u2800\u{1d159}\u{13441}\u{13442}`
const blankSign = new RegExp(`[${blank}]`, 'u')
/** Combining marks, spaces and control characters alone do not count as visible. */
const inked = new RegExp(String.raw`[^\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}${blank}]`, 'u')

/** Whether a text has at least one visible character: a letter, a digit, a symbol. */
export const hasInk = (text: string): boolean => inked.test(text)

/** Whether a text contains an invisible letter or symbol, so that it looks like another text or like an empty one. */
export const hasBlankSign = (text: string): boolean => blankSign.test(text)
