/** Chinese characters of one level, and Hangul, stand together in the old encodings: in these rows of 94. */
function charactersOf(encoding: string, firstRow: number, lastRow: number, script: RegExp): ReadonlySet<string> {
  const bytes: number[] = []
  for (let row = firstRow; row <= lastRow; row += 1) {
    for (let cell = 0xa1; cell <= 0xfe; cell += 1) bytes.push(row, cell)
  }
  const characters = [...new TextDecoder(encoding).decode(Uint8Array.from(bytes))]
  return new Set(characters.filter((character) => script.test(character)))
}

/** What Japanese is mostly written in, besides kana: the first level of JIS X 0208. */
export const japaneseCharacters = charactersOf('euc-jp', 0xb0, 0xcf, /\p{Script=Han}/u)

/** What Chinese is mostly written in on the mainland: the first level of GB 2312. */
export const chineseCharacters = charactersOf('gb18030', 0xb0, 0xd7, /\p{Script=Han}/u)

/** What Korean is written in: the syllables of KS X 1001. */
export const koreanCharacters = charactersOf('euc-kr', 0xb0, 0xc8, /\p{Script=Hangul}/u)
