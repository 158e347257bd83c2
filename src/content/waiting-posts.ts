import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { instant } from './front-matter.ts'

/** A post that is not published. */
export interface UnpublishedPost {
  /** Below `content/posts`. */
  readonly file: string
  readonly publishedAt: Date
  readonly isDraft: boolean
}

/** Those that are written and whose time has not come, the next one first. */
export const findWaitingPosts = (root: string, now: Date): UnpublishedPost[] =>
  findUnpublishedPosts(root, now).filter(({ isDraft }) => !isDraft)

const folderOf = (root: string): string => join(root, 'content/posts')

/** The files of all posts, below `content/posts`. */
export function listPosts(root: string): string[] {
  const folder = folderOf(root)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.mdx?$/.test(file))
}

/**
 * The posts of a folder of sources that are not published, the next one first. It looks at two lines of each file and
 * faults nothing: what is wrong with a post is said when it is built.
 *
 * @param root the repository
 */
export function findUnpublishedPosts(root: string, now: Date): UnpublishedPost[] {
  return listPosts(root)
    .flatMap((file) => {
      const { publishedAt, isDraft } = readTiming(readFileSync(join(folderOf(root), file), 'utf8'))
      return publishedAt !== undefined && (isDraft || publishedAt > now) ? [{ file, publishedAt, isDraft }] : []
    })
    .toSorted((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime() || (a.file < b.file ? -1 : 1))
}

/** What two lines of a post say of when it comes out; no time where they are written in a way that is not known here. */
function readTiming(source: string): { publishedAt: Date | undefined; isDraft: boolean } {
  const [, matter = ''] = source.replace(/^\ufeff/, '').split(/^---[ \t]*$/m)
  const publishedAt = instant.safeParse(toTime(fieldOf('publishedAt', matter))).data
  return { publishedAt, isDraft: /^(?:true|True|TRUE)$/.test(fieldOf('draft', matter) ?? '') }
}

/** A time as YAML has it besides: with a space in the place of the T or before the zone, or without a zone, in UTC. */
const yamlTime = /^(\d{4}-\d\d-\d\d)(?:[Tt]|[ \t]+)(\d\d:\d\d:\d\d(?:\.\d+)?)[ \t]*(?:([+-]\d\d)(:\d\d)?|Z?)$/

const toTime = (text: string | undefined): string | undefined =>
  text?.replace(yamlTime, (_, day: string, hour: string, zone?: string, minutes = ':00') =>
    [day, 'T', hour, zone === undefined ? 'Z' : zone + minutes].join(''),
  )

/**
 * What is wrong with a post whose lines say another time to whoever waits for it than its front matter does to its pages:
 * it would not come out by itself. The sentence goes on after the name of the file.
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

/** A field of one line, without quotes and comment. */
const fieldOf = (field: string, matter: string): string | undefined =>
  new RegExp(`^${field}:\\s*(['"]?)([^'"#\\n]*?)\\1\\s*(?:#.*)?$`, 'm').exec(matter)?.[2]
