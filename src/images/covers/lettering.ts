import { readFileSync } from 'node:fs'
import satori from 'satori'
import { facesFor, toSetText } from './faces-for.ts'
import type { Face } from './fonts/faces.ts'
import { largestFit, longestFit } from './largest-fit.ts'
import type { Fit, Lettering } from './lettering-box.ts'
import { isRightToLeft, setRightToLeft } from './right-to-left.ts'

interface Font {
  readonly name: string
  readonly data: Buffer
  readonly weight: 600
  readonly style: 'normal'
}

const readFont = ({ family, file }: Face): Font => ({
  name: family,
  data: readFileSync(new URL(`fonts/${file}`, import.meta.url)),
  weight: 600,
  style: 'normal',
})

const fontSets = new Map<string, Font[]>()

/** The same array for the same faces: satori caches parsed fonts by the array, and East Asian fonts are large. */
function fontsOf(faces: readonly Face[]): Font[] {
  const key = faces.map(({ family }) => family).join()
  const fonts = fontSets.get(key) ?? faces.map(readFont)
  fontSets.set(key, fonts)
  return fonts
}

const wide = /[mwMW\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u

/** Upper bound of the width of a letter, as a multiple of the font size. */
function mostWidth(letter: string): number {
  if (wide.test(letter)) return 1.05
  if (/[fijlrtI1.,:;!’'|()]/.test(letter)) return 0.46
  return /\p{Lu}/u.test(letter) ? 0.82 : 0.64
}

/** Where words end. A line may end between East Asian characters; the finer rules of satori are not needed here. */
const wordEnd = /[\s-]+|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/u

/** Upper bound of the width of the widest word, as a multiple of the font size. */
const longestWord = (text: string): number =>
  Math.max(...text.split(wordEnd).map((word) => [...word].reduce((sum, letter) => sum + mostWidth(letter), 0)))

/** Lays text out at one size; undefined when the fonts lack one of its letters. */
export async function layOut(
  text: string,
  size: number,
  width: number,
  colour: string,
  textAlign: 'left' | 'center' = 'left',
): Promise<Lettering | undefined> {
  const used = facesFor(text)
  if (!used) return undefined
  const style = {
    display: 'block',
    fontFamily: used.map(({ family }) => family).join(', '),
    fontSize: size,
    fontWeight: 600,
    lineHeight: 1.08,
    letterSpacing: size * -0.02,
    color: colour,
    textWrap: 'balance',
    textAlign,
    // Satori balances lines by narrowing the column, and `break-word` would then break words that fit.
    wordBreak: longestWord(text) * size > width ? 'break-word' : 'normal',
  }
  const column = { display: 'flex', flexDirection: 'column', width }
  const svg = await satori(
    { type: 'div', key: null, props: { style: column, children: { type: 'div', props: { style, children: text } } } },
    { width: Math.round(width), fonts: fontsOf(used) },
  )
  const [, height = '0'] = /height="([\d.]+)"/.exec(svg) ?? []
  return { paths: svg.replace(/^<svg[^>]*>/, '').replace(/<\/svg>$/, ''), width, height: Number(height) }
}

/**
 * Sets a title as large as its box allows and cuts it with an ellipsis when it is too long; undefined when the fonts
 * lack one of its letters.
 */
export async function setTitle(title: string, fit: Fit): Promise<Lettering | undefined> {
  const text = toSetText(title)
  if (isRightToLeft(text)) return await setRightToLeft(text, fit)
  if (text === '' || !facesFor(text)) return undefined
  const unbroken = fit.width / longestWord(text)
  // A word that must be broken at any size does not make the whole title small.
  const largest = unbroken < fit.smallest * 1.2 ? fit.largest : Math.min(fit.largest, unbroken)
  const set = (size: number) => setWithin(text, size, fit)
  const whole = text.length > mostLetters(fit) ? undefined : await largestFit(fit.smallest, largest, set)
  return whole ?? (await setShortened(text, fit))
}

interface Line {
  readonly width: number
  readonly colour: string
  readonly size: number
}

/** Sets a name at one size, aligned to where its script begins; undefined when the fonts lack one of its letters. */
export async function setName(name: string, { width, colour, size }: Line): Promise<Lettering | undefined> {
  const text = toSetText(name)
  if (isRightToLeft(text))
    return await setRightToLeft(text, { width, height: size * 2, colour, smallest: size, largest: size })
  return text === '' ? undefined : await layOut(text, size, width, colour)
}

/**
 * Lower bound of the mean width of letters, as a multiple of the font size. Longer titles cannot fit and are not tried.
 */
const leastWidthPerSize = 0.2

const mostLetters = ({ width, height, smallest }: Fit): number =>
  Math.ceil((width / (smallest * leastWidthPerSize)) * (height / smallest))

async function setWithin(text: string, size: number, fit: Fit): Promise<Lettering | undefined> {
  const set = await layOut(text, size, fit.width, fit.colour)
  return set && set.height <= fit.height ? set : undefined
}

/** The longest beginning that fits at the smallest size, cut between words where there are any. */
async function setShortened(text: string, fit: Fit): Promise<Lettering | undefined> {
  const start = text.slice(0, mostLetters(fit))
  const pieces = start.includes(' ') ? start.split(/(?<= )/) : [...start]
  return await longestFit(pieces.length - 1, (count) => {
    const beginning = pieces
      .slice(0, count)
      .join('')
      .replace(/[\s\p{P}]+$/u, '')
    return setWithin(`${beginning}…`, fit.smallest, fit)
  })
}
