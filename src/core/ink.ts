/**
 * Letters and signs that are drawn as nothing: fillers of Hangul, the empty pattern of Braille, the head of no note, blanks
 * of hieroglyphs. Unicode calls them letters and symbols all the same.
 */
const blank = String.raw`\u115f\u1160\u3164\uffa0\u2800\u{1d159}\u{13441}\u{13442}`
const blankSign = new RegExp(`[${blank}]`, 'u')
/** Marks need something to stand on, and spaces and controls are no more than that. */
const inked = new RegExp(String.raw`[^\s\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}${blank}]`, 'u')

/** Whether anybody sees anything of a text: a letter, a digit, a sign. */
export const hasInk = (text: string): boolean => inked.test(text)

/** Whether a letter or sign of a text is drawn as nothing, so that it looks like another text, or like none. */
export const hasBlankSign = (text: string): boolean => blankSign.test(text)
