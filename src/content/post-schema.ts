import { z } from 'zod'
import site from '../../site.config.ts'
import { coverStyles } from '../core/cover-styles.ts'
import { aliases } from './aliases.ts'
import { instant, line } from './front-matter.ts'

const seriesName = line().regex(/[\p{L}\p{N}]/u, 'must have a letter or a digit')
const pictureFile = line().regex(
  /^\.\/.+\.(?:jpe?g|png|webp|avif)$/i,
  'must be a path like ./pictures/harbour.jpg, to a JPEG, PNG, WebP or AVIF file',
)

/** A letter or digit with its combining marks. Modifier letters are included for words such as サーバー. */
const ofTag = String.raw`[\p{Ll}\p{Lo}\p{Lm}\p{N}]\p{M}*`
/** Scripts that use the zero-width joiner and non-joiner inside words; in other scripts these mean nothing. */
const joined = 'Arab Syrc Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Mymr Khmr'
const joining = `[${joined.replace(/(\w+) ?/g, (_, script) => String.raw`\p{scx=${script}}`)}]`
const joiner = String.raw`(?<=${joining})[\u200c\u200d](?=${joining})\p{M}*`
/** Normalized to Unicode NFC, so that two spellings that look the same do not become two lists. */
const tag = line()
  .normalize('NFC')
  .regex(
    new RegExp(`^(?:${ofTag}(?:${joiner})?)+(?:-(?:${ofTag}(?:${joiner})?)+)*$`, 'u'),
    'must be lower case words joined by hyphens',
  )

/** Checked, because browsers, voices and feed readers recognize a language only by its tag. */
const languageTag = line().refine(isLanguageTag, 'must be a language tag like en or pt-BR')

function isLanguageTag(text: string): boolean {
  try {
    return /^[a-z]{2,3}(?:-|$)/i.test(text) && Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

const soundFile = line().regex(/^\.\/.+\.mp3$/i, 'must be a path like ./episode.mp3')
const transcriptFile = line().regex(/^\.\/.+\.(?:vtt|txt)$/i, 'must be a path like ./episode.vtt or ./episode.txt')

/** Front matter of `content/posts/*.mdx`. */
export const postSchema = z
  .strictObject({
    /** Shown above the post, in lists and in feeds. */
    title: line(),
    /** One or two sentences for lists, feeds and search results. */
    excerpt: line(220),
    /** The post and everything made from it are published at this time. */
    publishedAt: instant,
    /** When it last changed in a way that readers care about. */
    updatedAt: instant.optional(),
    /** Who wrote it; the site's author when absent. */
    author: line().optional(),
    /** The authors of a post that several people wrote. */
    authors: z.array(line()).min(1).optional(),
    /** Lower case words that group posts. */
    tags: z.array(tag).default([]),
    /** The name of the series that it belongs to, and its number in it if the order is not that of the dates. */
    series: z
      .union([
        seriesName.transform((name) => ({ name, part: undefined })),
        z.strictObject({ name: seriesName, part: z.int().min(1).optional() }),
      ])
      .optional(),
    /** BCP 47 tag; the site's language when absent. */
    language: languageTag.default(site.language),
    /** The style of the cover that is drawn for it; chosen automatically when absent. */
    cover: z.strictObject({ style: z.enum(coverStyles, `must be one of ${coverStyles.join(', ')}`) }).optional(),
    /** A picture of the publisher in place of a drawn cover, with its alternative text. */
    image: z.strictObject({ src: pictureFile, alt: line() }).optional(),
    /** The publisher's own recording in place of a synthetic voice; its transcript, if it differs from the text. */
    audio: z
      .preprocess(
        (value) => (typeof value === 'string' ? { src: value } : value),
        z.strictObject({ src: soundFile, transcript: transcriptFile.optional() }),
      )
      .optional(),
    /** The slug of a related product. */
    product: line().optional(),
    /** Former addresses, which redirect to it. */
    aliases,
    /** A draft is not published. */
    draft: z.boolean().default(false),
  })
  .refine(({ cover, image }) => !(cover && image), {
    path: ['cover'],
    message: 'means nothing beside an image of your own; remove one of the two',
  })
  .refine(({ author, authors }) => !(author && authors), {
    path: ['author'],
    message: 'means nothing beside authors; name them all there',
  })
