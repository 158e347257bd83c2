/**
 * The characters of a script in rows of a legacy encoding, which sorts Chinese characters by level and Hangul together.
 */
function charactersOf(encoding: string, firstRow: number, lastRow: number, script: RegExp): ReadonlySet<string> {
  const bytes: number[] = []
  for (let row = firstRow; row <= lastRow; row += 1) {
    for (let cell = 0xa1; cell <= 0xfe; cell += 1) bytes.push(row, cell)
  }
  const characters = [...new TextDecoder(encoding).decode(Uint8Array.from(bytes))]
  return new Set(characters.filter((character) => script.test(character)))
}

/** The most common kanji: the first level of JIS X 0208. */
const japaneseCharacters = charactersOf('euc-jp', 0xb0, 0xcf, /\p{Script=Han}/u)

/** The most common simplified Chinese characters: the first level of GB 2312. */
const chineseCharacters = charactersOf('gb18030', 0xb0, 0xd7, /\p{Script=Han}/u)

/** The Hangul syllables of KS X 1001. */
const koreanCharacters = charactersOf('euc-kr', 0xb0, 0xc8, /\p{Script=Hangul}/u)

/** One font file under its own family name, with the characters that it contains (its character map). */
export interface Face {
  readonly family: string
  readonly file: string
  readonly covers: string
  /** Further characters that it contains, where ranges would be too long. */
  readonly characters?: ReadonlySet<string>
}

const eastAsianMarks =
  '3001-3011,3014-301f,30fb-30fc,ff01,ff05-ff06,ff08-ff09,ff0b-ff0c,ff0e,ff10-ff1b,ff1d,ff1f,ff3b,ff3d,ff5e'

/**
 * Fonts of weight 600: Newsreader at the optical size of the site's headings (60), Source Serif 4 and Noto Emoji,
 * subset by script as Fontsource publishes them (5.3), and Noto Serif JP, SC and KR (2.003), subset to the characters
 * named here. Licence: OFL 1.1.
 */
export const faces: readonly Face[] = [
  {
    family: 'Latin',
    file: 'newsreader-display-latin-600-normal.woff2',
    covers:
      '20-7e,a0-ff,131,152-153,2bc,2c6,2da,2dc,300-301,303-304,308-309,323,2013-2014,2018-201a,201c-201e,2022,2026,2032-2033,2039-203a,2044,20ac,2122,2212,2215',
  },
  {
    family: 'Latin Extended',
    file: 'newsreader-display-latin-ext-600-normal.woff2',
    covers:
      '100-130,134-148,14a-151,154-17e,18f,192,1a0-1a1,1af-1b0,1c4-1cc,1e6-1e7,1ea-1eb,1fa-21b,22a-22d,230-233,237,259,2b9-2ba,2bc,2c7,2dd,1e80-1e85,1e9e,1ef2-1ef9,2020,20a1,20a3-20a4,20a6-20a7,20a9,20ab,20ad,20b1-20b2,20b5,20b9-20ba,20bc-20bd',
  },
  { family: 'Vietnamese', file: 'newsreader-display-vietnamese-600-normal.woff2', covers: '1ea0-1ef9,20ab' },
  {
    family: 'Cyrillic',
    file: 'source-serif-4-cyrillic-600-normal.woff2',
    covers: '400-45f,490-491,4b0-4b1,2116',
  },
  {
    family: 'Greek',
    file: 'source-serif-4-greek-600-normal.woff2',
    covers: '374-375,37e,384-38a,38c,38e-3a1,3a3-3ce,3d7,3d9,3db,3dd,3e1',
  },
  {
    family: 'Chinese',
    file: 'noto-serif-sc-600.woff2',
    covers: eastAsianMarks,
    characters: chineseCharacters,
  },
  {
    family: 'Japanese',
    file: 'noto-serif-jp-600.woff2',
    covers: `${eastAsianMarks},3041-3096,30a1-30fe`,
    characters: japaneseCharacters,
  },
  { family: 'Korean', file: 'noto-serif-kr-600.woff2', covers: eastAsianMarks, characters: koreanCharacters },
  {
    family: 'Emoji',
    file: 'noto-emoji-emoji-600-normal.woff2',
    covers:
      '2049,203c,2194-2199,21a9-21aa,231a-231b,2328,23cf,23e9-23f3,23f8-23fa,24c2,25aa-25ab,25b6,25c0,25fb-25fe,2600-2604,260e,2611,2614-2615,2618,261d,2620,2622-2623,2626,262a,262e-262f,2638-263a,2640,2642,2648-2653,265f-2660,2663,2665-2666,2668,267b,267e-267f,2692-2697,2699,269b-269c,26a0-26a1,26a7,26aa-26ab,26b0-26b1,26bd-26be,26c4-26c5,26c8,26ce-26cf,26d1,26d3-26d4,26e9-26ea,26f0-26f5,26f7-26fa,26fd,2702,2705,2708-270d,270f,2712,2714,2716,271d,2721,2728,2733-2734,2744,2747,274c,274e,2753-2755,2757,2763-2764,2795-2797,27a1,27b0,27bf,2934-2935,2b05-2b07,2b1b-2b1c,2b50,2b55,1f300-1f321,1f324-1f393,1f396-1f397,1f399-1f39b,1f39e-1f3f0,1f3f3-1f3f5,1f3f7-1f4fd,1f4ff-1f53d,1f549-1f54e,1f550-1f567,1f56f-1f570,1f573-1f57a,1f587,1f58a-1f58d,1f590,1f595-1f596,1f5a4-1f5a5,1f5a8,1f5b1-1f5b2,1f5bc,1f5c2-1f5c4,1f5d1-1f5d3,1f5dc-1f5de,1f5e1,1f5e3,1f5e8,1f5ef,1f5f3,1f5fa-1f64f,1f680-1f6c5,1f6cb-1f6d2,1f6d5-1f6d9,1f6dc-1f6e5,1f6e9,1f6eb-1f6ec,1f6f0,1f6f3-1f6fc,1f7e0-1f7eb,1f7f0,1f90c-1f93a,1f93c-1f945,1f947-1f9ff,1fa70-1fa7c,1fa80-1fac6,1fac8,1facc-1fadd,1fadf-1faeb,1faef-1fafa',
  },
]
