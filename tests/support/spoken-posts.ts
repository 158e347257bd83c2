import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readWriting } from '../../src/content/writing.ts'
import type { SpokenPost } from '../../src/narration/episodes/posts-to-narrate.ts'
import { toSpokenUnits } from '../../src/narration/text/spoken-text.ts'

/** Writes the spoken texts of posts, as a build does. */
export function writeSpokenPosts(privateFolder: string, posts: readonly Omit<SpokenPost, 'units'>[]): void {
  const spoken = posts.map((post) => ({
    ...post,
    units: toSpokenUnits(readWriting(post.contentMarkdown), { title: post.title }),
  }))
  writeFileSync(join(privateFolder, 'spoken-posts.json'), JSON.stringify(spoken))
}
