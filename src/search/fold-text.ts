/**
 * Marks that are removed because they change the sound of a letter but not which letter it is. Marks of Indic and Thai
 * letters are kept, and so are the two Japanese ones.
 */
const diacritics = /[[\p{M}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309a]]/gv
const notInTerms = /[^\p{L}\p{N}\p{M}]/gu
/** Letters that Unicode does not decompose. */
const stroked = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', æ: 'ae', œ: 'oe', þ: 'th', ς: 'σ' }
/** Arabic and Persian letters that are often exchanged in writing. */
const exchanged = { ة: 'ه', ى: 'ي', ی: 'ي', ک: 'ك', ٱ: 'ا' }
const alike: Readonly<Record<string, string>> = { ...stroked, ...exchanged }
/** The tatweel, which only lengthens a word. */
const tatweel = /\u0640/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII
const ascii = /^[\x00-\x7f]*$/
const maxCharacters = 64

/**
 * The normalized form of a word for comparison: without case, diacritics and width, at most 64 characters. Empty when
 * nothing is left.
 *
 * @example foldText('Straßencafé') // 'strassencafe'
 */
export function foldText(word: string): string {
  const folded = ascii.test(word) ? word.toLowerCase() : foldUnicode(word)
  return folded.length > maxCharacters ? [...folded].slice(0, maxCharacters).join('') : folded
}

const foldUnicode = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(diacritics, '')
    // Through upper case, because ß, ſ and the final ς have no other common form.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(diacritics, '')
    .replace(/[øłđðæœþςةىیکٱ]/g, (letter) => alike[letter] ?? letter)
    // The last four bits of a digit of Arabic or Persian are its value.
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(tatweel, '')
    .replace(notInTerms, '')
    .normalize('NFC')
