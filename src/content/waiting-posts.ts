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
      const [, matter = ''] = readFileSync(join(folderOf(root), file), 'utf8').split(/^---[ \t]*$/m)
      const publishedAt = instant.safeParse(fieldOf('publishedAt', matter)).data
      const isDraft = fieldOf('draft', matter) === 'true'
      return publishedAt !== undefined && (isDraft || publishedAt > now) ? [{ file, publishedAt, isDraft }] : []
    })
    .toSorted((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime() || (a.file < b.file ? -1 : 1))
}

/** A field of one line, without quotes and comment. */
const fieldOf = (field: string, matter: string): string | undefined =>
  new RegExp(`^${field}:\\s*(['"]?)([^'"#\\n]*?)\\1\\s*(?:#.*)?$`, 'm').exec(matter)?.[2]
