import { createHash } from 'node:crypto'
import type { Skill } from '../offers/skill.ts'
import { withoutFrontMatter } from './read-source.ts'
import type { SkillFrontMatter } from './skill-schema.ts'
import { parseMarkdown } from './writing-tree.ts'

const maxPreviewLines = 40

/** The headings of a text as they are written, each with its line number, from 1. */
const headingsOf = (markdown: string) =>
  (parseMarkdown(markdown).children ?? []).flatMap(({ type, depth, position, children = [] }) => {
    if (type !== 'heading' || !position) return []
    const [from, to] = [children[0]?.position?.start.offset, children.at(-1)?.position?.end.offset]
    return [{ level: depth, title: markdown.slice(from ?? 0, to ?? 0), line: position.start.line }]
  })

/** The preview: everything above the second section; a third of a text that has only one, so never all of it. */
function openingOf(markdown: string): string {
  const lines = markdown.split('\n')
  const sections = headingsOf(markdown).filter(({ level }) => level === 2)
  const end = Math.min(sections[1] ? sections[1].line - 1 : Math.ceil(lines.length / 3), maxPreviewLines)
  return lines.slice(0, end).join('\n').trim()
}

/** The public part of a skill, from its validated front matter and the file that is sold. */
export function toSkill({ name, description, license, metadata }: SkillFrontMatter, file: Uint8Array): Skill {
  const body = withoutFrontMatter(new TextDecoder().decode(file)).replaceAll('\r\n', '\n').trim()
  return {
    slug: name,
    title: metadata.title,
    excerpt: metadata.excerpt,
    description,
    version: metadata.version,
    ...(metadata.changes !== undefined && { changes: metadata.changes }),
    ...(license !== undefined && { license }),
    publishedAt: new Date(metadata.publishedAt).toISOString(),
    bytes: file.byteLength,
    sha256: createHash('sha256').update(file).digest('hex'),
    headings: headingsOf(body).flatMap(({ level, title }) => (level === 2 ? [title] : [])),
    preview: openingOf(body),
  }
}
