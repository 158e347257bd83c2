import { keptTexts } from 'virtual:kept-texts'
import { z } from 'zod'
import { getWriting } from './get-writing.ts'
import type { Post } from './posts.ts'
import { toMarkdown } from './to-markdown.ts'
import { toPlainText } from './to-plain-text.ts'

const markdown = keptTexts.openKind({ name: 'markdown', schema: z.string() })
const words = keptTexts.openKind({ name: 'words', schema: z.string() })

/** Requests each text once, because several documents contain those of all posts. */
function once(find: (post: Post) => Promise<string>): (post: Post) => Promise<string> {
  const asked = new WeakMap<Post, Promise<string>>()
  return (post) => {
    const text = asked.get(post) ?? find(post)
    asked.set(post, text)
    return text
  }
}

/** The markdown of a post; see `toMarkdown`. Build-time only. */
export const getMarkdown = once((post) => markdown(post, async () => toMarkdown(await getWriting(post))))

/** The plain text of a post; see `toPlainText`. Build-time only. */
export const getPlainText = once((post) => words(post, async () => toPlainText(await getWriting(post))))
