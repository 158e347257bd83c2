import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { instant } from './front-matter.ts'

/** A post that is not published. */
export interface UnpublishedPost {
  /** The path below `content/posts`. */
  readonly file: string
  readonly publishedAt: Date
  readonly isDraft: boolean
}

/** The folder of the posts, below the repository. */
const posts = join('content', 'posts')

/** The path of a post below `content/posts`, by its path below the repository; undefined for any other file. */
export function toPostFile(name: string): string | undefined {
  const file = relative(posts, name)
  return !file.startsWith('..') && isPostFile(file) ? file : undefined
}

const isPostFile = (file: string): boolean => /\.mdx?$/.test(file)

/** The paths of all posts, relative to `content/posts`. */
export function listPosts(root: string): string[] {
  const folder = join(root, posts)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isPostFile)
}

/**
 * The unpublished posts of a repository, the next one first. It reads only two fields of each file and reports no
 * mistakes: the build reports those.
 *
 * @param root the repository
 * @param files which posts may be unpublished, relative to `content/posts`
 */
export const findUnpublishedPosts = (root: string, now: Date, files = listPosts(root)): UnpublishedPost[] =>
  files
    .flatMap((file) => readUnpublished(file, readFileSync(join(root, posts, file), 'utf8'), now) ?? [])
    .toSorted(byTime)

/** What is known of a post that is not published, from its text; undefined for a published one. */
export function readUnpublished(file: string, source: string, now: Date): UnpublishedPost | undefined {
  const { publishedAt, isDraft } = readTiming(source)
  return publishedAt !== undefined && (isDraft || publishedAt > now) ? { file, publishedAt, isDraft } : undefined
}

/** The order of unpublished posts: the next one first. */
export const byTime = (a: UnpublishedPost, b: UnpublishedPost): number =>
  a.publishedAt.getTime() - b.publishedAt.getTime() || (a.file < b.file ? -1 : 1)

/** Reads `publishedAt` and `draft` from a post without a YAML parser; no time where its form is not recognized. */
function readTiming(source: string): { publishedAt: Date | undefined; isDraft: boolean } {
  const [, matter = ''] = source.replace(/^\ufeff/, '').split(/^---[ \t]*$/m)
  const publishedAt = instant.safeParse(toTime(fieldOf('publishedAt', matter))).data
  return { publishedAt, isDraft: /^(?:true|True|TRUE)$/.test(fieldOf('draft', matter) ?? '') }
}

/** Further forms of a YAML timestamp: a space in place of the T or before the zone, or no zone, which means UTC. */
const yamlTime = /^(\d{4}-\d\d-\d\d)(?:[Tt]|[ \t]+)(\d\d:\d\d:\d\d(?:\.\d+)?)[ \t]*(?:([+-]\d\d)(:\d\d)?|Z?)$/

const toTime = (text: string | undefined): string | undefined =>
  text?.replace(yamlTime, (_, day: string, hour: string, zone?: string, minutes = ':00') =>
    [day, 'T', hour, zone === undefined ? 'Z' : zone + minutes].join(''),
  )

/**
 * Checks that `readTiming` reads the same time and draft state from a post as the YAML parser does. Otherwise the post
 * would not be published automatically. The sentence is to be appended to the file's name.
 */
export function findTimingFault(
  { publishedAt, draft }: { readonly publishedAt: Date; readonly draft: boolean },
  source: string,
): string | undefined {
  const read = readTiming(source)
  if (read.publishedAt?.getTime() !== publishedAt.getTime())
    return 'publishedAt must be a day that there is, in a line like "publishedAt: 2026-11-20" or "publishedAt: 2026-11-20T09:00:00Z" between two lines of ---'
  return read.isDraft === draft ? undefined : 'draft must be a line like "draft: true"'
}

/** The value of a one-line field, without quotes and comment. */
const fieldOf = (field: string, matter: string): string | undefined =>
  new RegExp(`^${field}:\\s*(['"]?)([^'"#\\n]*?)\\1\\s*(?:#.*)?$`, 'm').exec(matter)?.[2]
