import sharp from 'sharp'
import type { CoverStyle } from '../../core/cover-styles.ts'
import { reviewImage } from '../review/review-image.ts'
import { drawnSize } from './drawn-size.ts'
import { setLabel } from './label.ts'
import { type Art, type Lettered, paintArt } from './paint-art.ts'

/** One file of a picture that is drawn once and published in many sizes. */
export interface Edition {
  readonly width: number
  /** The picture is cropped to fill it; without a height it keeps its shape. */
  readonly height?: number | undefined
  readonly type: 'avif' | 'jpg'
  readonly quality: number
  /** A title and an imprint on the picture. */
  readonly lettering?: Lettered | undefined
}

/** An edition, with `purpose` as the beginning of its file name. */
export interface NamedEdition extends Edition {
  readonly purpose: string
}

/** What the editions show: drawn by the engine, or the publisher's own picture. */
export type EditionSource =
  | { readonly is: 'drawn'; readonly title: string; readonly excerpt: string; readonly style: CoverStyle }
  | { readonly is: 'own'; readonly picture: Uint8Array; readonly alt: string }

/** One source and the files wanted of it. */
export interface EditionsTask {
  readonly source: EditionSource
  readonly editions: readonly Edition[]
}

/** A print with its title, in one size. The title decides the drawing. */
export interface CardTask {
  readonly title: string
  readonly edition: Edition
}

/** The files in the order of the requested editions, without metadata. */
export interface Editions {
  readonly alt: string
  readonly files: readonly EditionFile[]
}

/** One file. */
export interface EditionFile {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

const maxOwnWidth = 2400
const maxAttempts = 3

/** Draws once, reviews, and encodes every edition from the same pixels. */
export async function makeEditions({ source, editions }: EditionsTask): Promise<Editions> {
  const { art, attempt } = source.is === 'own' ? await readOwn(source) : await drawReviewed(source)
  const files: EditionFile[] = []
  let last: { edition: Edition; printed: Art } | undefined
  for (const edition of editions) {
    // Setting a title costs more than scaling, so a smaller edition reuses the larger print before it.
    const printed = last && isSmaller(edition, last.edition) ? last.printed : await print(source, art, attempt, edition)
    files.push(await encode(printed, edition))
    last = { edition, printed }
  }
  return { alt: art.alt, files }
}

/** Makes a lettered print alone, without the unlettered drawing. */
export async function makeCard({ title, edition }: CardTask): Promise<Editions> {
  const { width, height = width, lettering = { title } } = edition
  const drawing = { title, excerpt: '', style: 'editorial-minimal', width, height, lettering, attempt: 0 } as const
  const art = await paintArt(drawing)
  return { alt: art.alt, files: [await encode(art, edition)] }
}

async function readOwn({ picture, alt }: Extract<EditionSource, { is: 'own' }>) {
  const { data, info } = await sharp(picture, { failOn: 'error' })
    .rotate()
    .resize({ width: maxOwnWidth, withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { art: { pixels: data, width: info.width, height: info.height, scene: 'own', alt }, attempt: 0 }
}

/** The first drawing that passes the review. A post needs a picture, so the last attempt is used even if it fails. */
async function drawReviewed(source: Extract<EditionSource, { is: 'drawn' }>) {
  for (let attempt = 0; ; attempt += 1) {
    const art = await paintArt({ ...source, ...drawnSize, attempt })
    const { bytes } = await encode(art, { width: drawnSize.width, type: 'jpg', quality: 80 })
    const { pass } = await reviewImage(bytes, { aspect: drawnSize.width / drawnSize.height })
    if (pass || attempt + 1 >= maxAttempts) return { art, attempt }
  }
}

/** Prints are set anew in each lettered size; other pictures get a label laid over them. */
async function print(source: EditionSource, art: Art, attempt: number, edition: Edition): Promise<Art> {
  const { width, height = Math.round((art.height * width) / art.width), lettering } = edition
  if (!lettering) return art
  if (source.is === 'drawn' && source.style === 'editorial-minimal') {
    return await paintArt({ ...source, width, height, lettering, attempt })
  }
  return await setLabel(art, width, height, lettering)
}

/** Whether an edition is a scaled-down version of another one. */
const isSmaller = (edition: Edition, other: Edition): boolean =>
  isSame(edition.lettering, other.lettering) &&
  edition.width <= other.width &&
  edition.width * (other.height ?? 0) === other.width * (edition.height ?? 0)

/** Whether two editions have the same lettering. */
const isSame = (words: Lettered | undefined, others: Lettered | undefined): boolean =>
  words !== undefined &&
  words.title === others?.title &&
  words.imprint === others.imprint &&
  words.accent === others.accent

async function encode({ pixels, ...size }: Pick<Art, 'pixels' | 'width' | 'height'>, edition: Edition) {
  const { width, height, type, quality } = edition
  const picture = sharp(pixels, { raw: { width: size.width, height: size.height, channels: 3 } }).resize({
    width: height === undefined ? Math.min(width, size.width) : width,
    height,
    fit: 'cover',
  })
  const encoded = type === 'avif' ? picture.avif({ quality, effort: 1 }) : picture.jpeg({ quality })
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
  return { bytes: new Uint8Array(data), width: info.width, height: info.height }
}
