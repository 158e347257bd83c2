import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const isText = (file: string): boolean => /\.(?:mdx?|markdown|html?|txt)$/i.test(file)
/** The files that become posts and pages. */
const routed = [/^posts\/[^/]+\.mdx$/, /^pages\/[^/]+\.mdx$/]

/**
 * Finds the texts in the content folder that would be ignored because of their folder or name, as sentences with file
 * and line.
 */
export function findUnroutedFiles(content: string): string[] {
  const isOfSkill = (file: string): boolean => {
    const [, skill] = /^(skills\/[^/]+)\//.exec(file) ?? []
    return skill !== undefined && existsSync(join(content, skill, 'SKILL.md'))
  }
  const names = readdirSync(content, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  /** Whether a file is the transcript of a recording, named by a post. */
  const isTranscript = (file: string): boolean =>
    /^posts\/.+\.txt$/i.test(file) &&
    names.some(
      (post) =>
        /^posts\/[^/]+\.mdx$/.test(post) &&
        readFileSync(join(content, post), 'utf8').normalize('NFC').includes(basename(file).normalize('NFC')),
    )
  const isRouted = (file: string): boolean =>
    routed.some((pattern) => pattern.test(file)) || isOfSkill(file) || isTranscript(file)
  const texts = names.filter(isText).toSorted()
  // Astro does not find files whose names contain ? or #, and leaves them out silently.
  const unnamed = texts
    .filter((file) => /[?#]/.test(file) && routed.some((pattern) => pattern.test(file)))
    .map(
      (file) => `${content}/${file}:1: its name becomes its address, which must not contain ? # % ; or \\; rename it`,
    )
  const unrouted = texts
    .filter((file) => !isRouted(file))
    .map(
      (file) =>
        `${content}/${file}:1: this file is not used; posts are ${content}/posts/*.mdx, pages ${content}/pages/*.mdx, skills ${content}/skills/<name>/SKILL.md`,
    )
  return [...unnamed, ...unrouted]
}
