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

/** A letter or digit with its marks. Kana and other scripts have letters that are modifiers, as in サーバー. */
const ofTag = String.raw`[\p{Ll}\p{Lo}\p{Lm}\p{N}]\p{M}*`
/** Scripts whose words have signs inside that nobody sees, which say how their neighbours are joined; in others they mean nothing. */
const joined = 'Arab Syrc Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Tibt Mymr Khmr'
const joining = `[${joined.replace(/(\w+) ?/g, (_, script) => String.raw`\p{scx=${script}}`)}]`
const joiner = String.raw`(?<=${joining})[\u200c\u200d](?=${joining})\p{M}*`
/** Written alike however its letters are put together (Unicode NFC), so that no two lists have one name. */
const tag = line()
  .normalize('NFC')
  .regex(
    new RegExp(`^(?:${ofTag}(?:${joiner})?)+(?:-(?:${ofTag}(?:${joiner})?)+)*$`, 'u'),
    'must be lower case words joined by hyphens',
  )

/** Browsers, voices and feed readers know a language by nothing else. */
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
    /** Nothing of a post is published before this. */
    publishedAt: instant,
    /** When it last changed in a way readers care about. */
    updatedAt: instant.optional(),
    /** Who wrote it; the site's author when absent. */
    author: line().optional(),
    /** Who wrote it together. */
    authors: z.array(line()).min(1).optional(),
    /** Lower case words that group posts. */
    tags: z.array(tag).default([]),
    /** Posts that are read in an order: its name, and which part this is where the dates do not say so. */
    series: z
      .union([
        seriesName.transform((name) => ({ name, part: undefined })),
        z.strictObject({ name: seriesName, part: z.int().min(1).optional() }),
      ])
      .optional(),
    /** BCP 47 tag; the site's language when absent. */
    language: languageTag.default(site.language),
    /** Look of the cover that is drawn for it; a look of its own for each post when absent. */
    cover: z.strictObject({ style: z.enum(coverStyles, `must be one of ${coverStyles.join(', ')}`) }).optional(),
    /** A picture of your own instead, beside the post, with words for those who do not see it. */
    image: z.strictObject({ src: pictureFile, alt: line() }).optional(),
    /** A recording of your own, heard instead of a voice; and what is said in it, where that is not the text of the post. */
    audio: z
      .preprocess(
        (value) => (typeof value === 'string' ? { src: value } : value),
        z.strictObject({ src: soundFile, transcript: transcriptFile.optional() }),
      )
      .optional(),
    /** Slug of something that is for sale and goes with it. */
    product: line().optional(),
    /** Addresses that it had before, which lead to it. */
    aliases,
    /** Drafts appear nowhere. */
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
