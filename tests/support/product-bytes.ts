import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { buildFiles } from '../../src/storage/build-folder.ts'

const skillsSchema = z.array(z.object({ slug: z.string(), preview: z.string() }))
const exportSchema = z.object({
  exportedAt: z.string(),
  posts: z.array(z.object({ title: z.string(), url: z.string(), contentMarkdown: z.string() })),
})

/** Shorter lines occur anywhere: fences, brackets, a heading that the shop window shows too. */
const minLineLength = 40

/**
 * Knows the products of a build by their bytes. A skill is known by every longer line beyond its free preview; the
 * bundle of posts by its seams, and the export by its envelope, because the posts themselves are free to read.
 *
 * @returns a function that names the product of which a text holds something; undefined when it holds none
 */
export function makeProductDetector(build: string) {
  const folder = buildFiles(build).privateTexts
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const skills = skillsSchema.parse(JSON.parse(read('skills.json')))
  const { exportedAt, posts } = exportSchema.parse(JSON.parse(read('posts-export.json')))

  /** Beginnings that say the same wherever they stand: imports, namespaces, and code that a post shows as well. */
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
    // With what follows: its date alone is that of the newest post, and stands in a free sample as well.
    [`"exportedAt":"${exportedAt}","site":`, 'posts export'],
    ['"blockTraining":"', 'crawler catalog'],
    ['"rdnsSuffixes":', 'crawler catalog'],
    ...posts.flatMap(({ title, url, contentMarkdown }): [string, string][] => [
      [`${title}\n${url}\n`, 'bundle of posts'],
      [`"contentMarkdown":"${contentMarkdown.slice(0, 40)}`, 'posts export'],
    ]),
  ])
  // A part of a line is as much a leak as the line: some of each skill is looked for anywhere in the text.
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

/** A text inside a JSON string is the text all the same. */
const unescapeJson = (text: string): string =>
  text.includes('\\') ? text.replaceAll('\\n', '\n').replaceAll('\\"', '"') : text

/** Front matter is public: the shop window is made of it. */
function frontMatterLines(markdown: string): number {
  const end = markdown.startsWith('---\n') ? markdown.indexOf('\n---\n', 4) : -1
  return end < 0 ? 0 : markdown.slice(0, end + 5).split('\n').length - 1
}
