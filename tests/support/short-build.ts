import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { spokenPostSchema } from '../../src/narration/episodes/posts-to-narrate.ts'
import { testBuild } from './running-site.ts'
import { writeSpokenPosts } from './spoken-posts.ts'

/**
 * The tested build with only its first English posts, which have these texts that take a second to narrate. Posts keep
 * their positions in pages and in the search index.
 */
export function makeShortBuild(texts: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'short-build-'))
  const link = (name: string) => symlinkSync(join(testBuild(), name), join(folder, name))
  for (const name of readdirSync(testBuild())) if (name !== 'private') link(name)
  mkdirSync(join(folder, 'private'))
  const texted = 'spoken-posts.json'
  for (const name of readdirSync(join(testBuild(), 'private'))) if (name !== texted) link(join('private', name))
  const posts = z.array(spokenPostSchema).parse(JSON.parse(readFileSync(join(testBuild(), 'private', texted), 'utf8')))
  const english = posts.filter(({ language }) => language === 'en').slice(0, texts.length)
  const short = english.map((post, index) => ({ ...post, contentMarkdown: texts[index] ?? '' }))
  writeSpokenPosts(join(folder, 'private'), short)
  return {
    folder,
    slugs: short.map(({ slug }) => slug),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
