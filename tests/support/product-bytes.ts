import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { buildFiles } from '../../src/storage/build-folder.ts'

const skillsSchema = z.array(z.object({ slug: z.string(), preview: z.string() }))
const exportSchema = z.object({
  exportedAt: z.string(),
  posts: z.array(z.object({ title: z.string(), url: z.string(), contentMarkdown: z.string() })),
})

/** Shorter lines are not specific: fences, brackets, headings that are also shown for free. */
const minLineLength = 40

/**
 * Recognizes the products of a build by their bytes. A skill is recognized by every longer line beyond its free
 * preview, the bundle of posts by its separators, and the export by its envelope, because the posts themselves are
 * free.
 *
 * @returns a function that names a product of which a text contains a part; undefined if there is none
 */
export function makeProductDetector(build: string) {
  const folder = buildFiles(build).privateTexts
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const skills = skillsSchema.parse(JSON.parse(read('skills.json')))
  const { exportedAt, posts } = exportSchema.parse(JSON.parse(read('posts-export.json')))

  /** Lines that are also public elsewhere: imports, namespaces, and code that a post shows as well. */
  const isFreeToo = (text: string) =>
    /^import |xmlns="/.test(text) ||
    posts.some(({ contentMarkdown }) => contentMarkdown.includes(text.slice(0, minLineLength)))

  const lines = new Map<string, string>()
  for (const { slug, preview } of skills)
    for (const line of read(`skill-${slug}.md`)
      .split('\n')
      .slice(frontMatterLines(read(`skill-${slug}.md`)))) {
      const text = line.trim()
      if (text.length >= minLineLength && !preview.includes(text) && !isFreeToo(text)) lines.set(text, `skill ${slug}`)
    }
  const pieces = new Map<string, string>([
    // With the next field, because the date alone is that of the newest post, which is also in a free sample.
    [`"exportedAt":"${exportedAt}","site":`, 'posts export'],
    ['"blockTraining":"', 'crawler catalog'],
    ['"rdnsSuffixes":', 'crawler catalog'],
    ...posts.flatMap(({ title, url, contentMarkdown }): [string, string][] => [
      [`${title}\n${url}\n`, 'bundle of posts'],
      [`"contentMarkdown":"${contentMarkdown.slice(0, 40)}`, 'posts export'],
    ]),
  ])
  // A part of a line is a leak, too, so that parts of each skill are searched for anywhere in the text.
  for (const { slug } of skills) {
    const own = [...lines].filter(([, product]) => product === `skill ${slug}`)
    for (const [text, product] of own.filter((_, index) => index % Math.ceil(own.length / 6) === 0))
      pieces.set(text.slice(0, minLineLength), product)
  }

  return (given: string): string | undefined => {
    const text = unescapeJson(given)
    for (const [piece, product] of pieces) if (text.includes(piece)) return product
    for (const line of text.split('\n')) {
      const product = lines.get(line.trim())
      if (product) return product
    }
    return undefined
  }
}

/** Undoes JSON escapes, because a text in a JSON string is a leak as well. */
const unescapeJson = (text: string): string =>
  text.includes('\\') ? text.replaceAll('\\n', '\n').replaceAll('\\"', '"') : text

/** Front matter is public, because the shop shows it. */
function frontMatterLines(markdown: string): number {
  const end = markdown.startsWith('---\n') ? markdown.indexOf('\n---\n', 4) : -1
  return end < 0 ? 0 : markdown.slice(0, end + 5).split('\n').length - 1
}
