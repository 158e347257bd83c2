import { keptTexts } from 'virtual:kept-texts'
import { z } from 'zod'
import { getWriting } from './get-writing.ts'
import type { Post } from './posts.ts'
import { toMarkdown } from './to-markdown.ts'
import { toPlainText } from './to-plain-text.ts'

const markdown = keptTexts.openKind({ name: 'markdown', schema: z.string() })
const words = keptTexts.openKind({ name: 'words', schema: z.string() })

/** The texts that were requested already: several documents contain those of all posts. */
const asked = new WeakMap<Post, Promise<string>>()

/** The markdown of a post; see `toMarkdown`. Build-time only. */
export function getMarkdown(post: Post): Promise<string> {
  const known = asked.get(post) ?? markdown(post, async () => toMarkdown(await getWriting(post)))
  asked.set(post, known)
  return known
}

/** The plain text of a post; see `toPlainText`. Build-time only. */
export const getPlainText = (post: Post): Promise<string> =>
  words(post, async () => toPlainText(await getWriting(post)))
