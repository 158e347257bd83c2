import { createHash } from 'node:crypto'
import { withoutFrontMatter } from './read-source.ts'
import type { Skill } from './skill.ts'
import type { SkillFrontMatter } from './skill-schema.ts'

const maxPreviewLines = 40

/** Lines that are prose; a `#` inside a code block is no heading. */
function proseLines(markdown: string): { text: string; place: number }[] {
  let fence: string | undefined
  return markdown.split('\n').flatMap((text, place) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1]
    if (fence === undefined && mark === undefined) return [{ text, place }]
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence)) fence = undefined
    return []
  })
}

const headingsOf = (markdown: string) =>
  proseLines(markdown).flatMap(({ text, place }) => {
    const heading = /^(#{1,3}) +(.+?)[ #]*$/.exec(text)
    return heading?.[1] && heading[2] ? [{ level: heading[1].length, title: heading[2], place }] : []
  })

/** From the first line to the second section, word for word, and never a whole short file. */
function openingOf(markdown: string): string {
  const lines = markdown.split('\n')
  const sections = headingsOf(markdown).filter(({ level }) => level === 2)
  const end = Math.min(sections[1]?.place ?? Math.ceil(lines.length / 3), maxPreviewLines)
  return lines.slice(0, end).join('\n').trim()
}

/** What is public about a skill, from its validated front matter and the file that is sold. */
export function toSkill({ name, description, license, metadata }: SkillFrontMatter, file: Uint8Array): Skill {
  const body = withoutFrontMatter(new TextDecoder().decode(file)).replaceAll('\r\n', '\n').trim()
  return {
    slug: name,
    title: metadata.title,
    excerpt: metadata.excerpt,
    description,
    version: metadata.version,
    ...(license !== undefined && { license }),
    publishedAt: new Date(metadata.publishedAt).toISOString(),
    bytes: file.byteLength,
    sha256: createHash('sha256').update(file).digest('hex'),
    headings: headingsOf(body).flatMap(({ level, title }) => (level === 2 ? [title] : [])),
    preview: openingOf(body),
  }
}
