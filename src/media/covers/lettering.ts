import { readFileSync } from 'node:fs'
import satori from 'satori'
import { facesFor, toSetText } from './faces-for.ts'
import type { Face } from './fonts/faces.ts'
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

/** One array for the same faces: satori remembers by the array what it has read, and East Asian fonts are large. */
function fontsOf(faces: readonly Face[]): Font[] {
  const key = faces.map(({ family }) => family).join()
  const fonts = fontSets.get(key) ?? faces.map(readFont)
  fontSets.set(key, fonts)
  return fonts
}

const wide = /[mwMW\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u

/** The most that a letter is wide, by the size it is set in. */
function mostWidth(letter: string): number {
  if (wide.test(letter)) return 1.05
  if (/[fijlrtI1.,:;!’'|()]/.test(letter)) return 0.46
  return /\p{Lu}/u.test(letter) ? 0.82 : 0.64
}

/** Between East Asian characters a line may end anywhere; what satori knows of where it may not is not needed here. */
const wordEnd = /[\s-]+|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/u

/** The widest word, by the size it is set in. */
const longestWord = (text: string): number =>
  Math.max(...text.split(wordEnd).map((word) => [...word].reduce((sum, letter) => sum + mostWidth(letter), 0)))

/** Lays text out at one size; undefined when its letters are not at hand. */
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
    // Even lines are found by narrowing the column, which would break words that have room.
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

const attempts = 7

/** Sets a title as large as its box allows, cut with an ellipsis when it is too long; undefined when its letters are not at hand. */
export async function setTitle(title: string, fit: Fit): Promise<Lettering | undefined> {
  const text = toSetText(title)
  if (isRightToLeft(text)) return await setRightToLeft(text, fit)
  if (text === '' || !facesFor(text)) return undefined
  const unbroken = fit.width / longestWord(text)
  // A word that no size saves from being broken need not be small as well.
  const largest = unbroken < fit.smallest * 1.2 ? fit.largest : Math.min(fit.largest, unbroken)
  const whole = text.length > mostLetters(fit) ? undefined : await setLargest(text, { ...fit, largest })
  return whole ?? (await setShortened(text, fit))
}

/** A letter's least mean width by its size, in any text: what is longer than this allows is never laid out whole. */
const leastWidthPerSize = 0.2

const mostLetters = ({ width, height, smallest }: Fit): number =>
  Math.ceil((width / (smallest * leastWidthPerSize)) * (height / smallest))

const fits = (set: Lettering | undefined, { height }: Fit): set is Lettering =>
  set !== undefined && set.height <= height

async function setLargest(text: string, fit: Fit): Promise<Lettering | undefined> {
  let best: Lettering | undefined
  let [low, high] = [fit.smallest, fit.largest]
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const size = attempt === 0 ? high : attempt === 1 ? low : (low + high) / 2
    const set = await layOut(text, size, fit.width, fit.colour)
    if (fits(set, fit)) {
      best = set
      if (attempt === 0) return best
      low = size
    } else if (attempt === 1) return undefined
    else high = size
  }
  return best
}

/** The longest beginning that fits at the smallest size, cut between words where there are any. */
async function setShortened(text: string, fit: Fit): Promise<Lettering | undefined> {
  const start = text.slice(0, mostLetters(fit))
  const pieces = start.includes(' ') ? start.split(/(?<= )/) : [...start]
  let best: Lettering | undefined
  let [low, high] = [1, pieces.length - 1]
  while (low <= high) {
    const count = Math.floor((low + high) / 2)
    const beginning = pieces
      .slice(0, count)
      .join('')
      .replace(/[\s\p{P}]+$/u, '')
    const set = await layOut(`${beginning}…`, fit.smallest, fit.width, fit.colour)
    if (fits(set, fit)) {
      best = set
      low = count + 1
    } else high = count - 1
  }
  return best
}
