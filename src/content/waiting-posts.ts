import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { instant } from './front-matter.ts'

/** A finished post whose time has not come. */
export interface WaitingPost {
  /** Below `content/posts`. */
  readonly file: string
  readonly publishedAt: Date
}

/**
 * The posts of a folder of sources that are written and not published yet, the next one first. It looks at two lines of
 * each file and faults nothing: what is wrong with a post is said when it is built.
 *
 * @param root the repository
 */
export function findWaitingPosts(root: string, now: Date): WaitingPost[] {
  const folder = join(root, 'content/posts')
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.mdx?$/.test(file))
  return files
    .flatMap((file) => {
      const [, matter = ''] = readFileSync(join(folder, file), 'utf8').split(/^---[ \t]*$/m)
      const publishedAt = instant.safeParse(fieldOf('publishedAt', matter)).data
      const isWaiting = publishedAt !== undefined && publishedAt > now && fieldOf('draft', matter) !== 'true'
      return isWaiting ? [{ file, publishedAt }] : []
    })
    .toSorted((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime() || (a.file < b.file ? -1 : 1))
}

/** A field of one line, without quotes and comment. */
const fieldOf = (field: string, matter: string): string | undefined =>
  new RegExp(`^${field}:\\s*(['"]?)([^'"#\\n]*?)\\1\\s*(?:#.*)?$`, 'm').exec(matter)?.[2]
