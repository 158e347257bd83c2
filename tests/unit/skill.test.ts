import { describe, expect, it } from 'vitest'
import { readEntry } from '../../src/content/content-folder.ts'
import { readFrontMatter } from '../../src/content/front-matter.ts'
import { postSchema } from '../../src/content/post-schema.ts'
import { publishedPosts } from '../../src/content/published-posts.ts'
import { skillFrontMatterSchema } from '../../src/content/skill-schema.ts'
import { toSkill } from '../../src/content/to-skill.ts'

const frontMatter = {
  name: 'a-skill',
  description: 'Does a thing. Use it when the thing is needed.',
  metadata: { title: 'A skill', excerpt: 'Does a thing.', version: '1.0.0', publishedAt: '2026-11-20' },
}

describe('the front matter of a skill', () => {
  it('is valid in the Agent Skills format, with the data of the shop in its metadata', () => {
    expect(readFrontMatter(skillFrontMatterSchema, frontMatter, 'SKILL.md')).toEqual(frontMatter)
  })

  it.each([
    [{ ...frontMatter, name: 'A Skill' }, 'SKILL.md: name must be lower-case words joined by single hyphens'],
    [{ ...frontMatter, description: undefined }, 'SKILL.md: description is missing'],
    [{ ...frontMatter, description: 'x'.repeat(1025) }, 'SKILL.md: description must be at most 1024 characters long'],
    [{ ...frontMatter, price: '1' }, 'SKILL.md: price is not known here; known are name,'],
    [
      { ...frontMatter, metadata: { ...frontMatter.metadata, version: 1 } },
      'SKILL.md: metadata.version must be text of 1 to 32 characters; put it in quotes',
    ],
    [
      { ...frontMatter, metadata: { ...frontMatter.metadata, publishedAt: new Date() } },
      'SKILL.md: metadata.publishedAt must be a date in quotes, like "2026-11-20"',
    ],
  ])('is refused with a sentence about the fault (%#)', (data, sentence) => {
    expect(() => readFrontMatter(skillFrontMatterSchema, data, 'SKILL.md')).toThrow(sentence)
  })
})

describe('a skill in the shop', () => {
  const body = `# A skill\n\nWhy.\n\n## First\n\nOne.\n\n\`\`\`sh\n## no heading\n\`\`\`\n\n## Second\n\nSecret.\n\n## Third\n\nMore.\n`
  const file = new TextEncoder().encode(`---\nname: a-skill\n---\n\n${body}`)
  const skill = toSkill(frontMatter, file)

  it('shows its beginning word for word and hides the rest', () => {
    expect(skill.preview).toBe('# A skill\n\nWhy.\n\n## First\n\nOne.\n\n```sh\n## no heading\n```')
    expect(JSON.stringify(skill)).not.toContain('Secret')
  })

  it('lists its sections, without headings in code', () => {
    expect(skill.headings).toEqual(['First', 'Second', 'Third'])
  })

  it('knows the size and the digest of the delivered file', async () => {
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', file)).toString('hex')
    expect(skill).toMatchObject({ bytes: file.length, sha256: hash, publishedAt: '2026-11-20T00:00:00.000Z' })
  })

  it('never shows a whole file, however short', () => {
    const short = toSkill(frontMatter, new TextEncoder().encode('---\nname: a-skill\n---\n# A\n\nb\n\nc\n\nd\n'))
    expect(short.preview).not.toContain('d')
  })
})

describe('the published posts', () => {
  const post = (title: string, publishedAt: string, draft = false) => ({
    id: title,
    data: readFrontMatter(postSchema, { title, excerpt: 'x', publishedAt, draft }, `${title}.mdx`),
  })

  it('exclude drafts and future posts, newest first', () => {
    const posts = [
      post('old', '2026-01-01'),
      post('draft', '2026-01-02', true),
      post('future', '2027-01-01'),
      post('new', '2026-11-20T09:00:00Z'),
    ]
    const titles = publishedPosts(posts, new Date('2026-11-20T09:00:00Z')).map(({ data }) => data.title)
    expect(titles).toEqual(['new', 'old'])
  })

  it.each([
    [
      { title: 'T', excerpt: 'x'.repeat(221), publishedAt: '2026-01-01' },
      'p.mdx: excerpt must be at most 220 characters long',
    ],
    [{ title: 'T', excerpt: 'x', publishedAt: 'soon' }, 'p.mdx: publishedAt must be a date like 2026-11-20'],
    [{ title: 'T', excerpt: 'x' }, 'p.mdx: publishedAt'],
    ...['en_US', 'German', '"><b>', '日本語'].map((language): [object, string] => [
      { title: 'T', excerpt: 'x', publishedAt: '2026-01-01', language },
      'p.mdx: language must be a language tag like en or pt-BR',
    ]),
    [{ title: '', excerpt: 'x', publishedAt: '2026-01-01' }, 'p.mdx: title must not be empty'],
    [
      { title: 'T', excerpt: 'x', publishedAt: '2026-01-01', tag: 'x' },
      'p.mdx: tag is not known here; known are title,',
    ],
  ])('are refused with a sentence about an invalid field (%#)', (data, sentence) => {
    expect(() => readFrontMatter(postSchema, data, 'p.mdx')).toThrow(sentence)
  })

  it('are checked with their file path if there is one', () => {
    const inFolder = (folder: string) => ({ id: folder, data: frontMatter, file: `${folder}/SKILL.md` })
    const check = ({ name }: { name: string }, id: string) => (name === id ? undefined : `name must be ${id}`)
    const rules = { schema: skillFrontMatterSchema, check }
    expect(readEntry(rules, inFolder('a-skill'))).toEqual(frontMatter)
    expect(() => readEntry(rules, inFolder('other'))).toThrow('other/SKILL.md: name must be other')
    expect(() => readEntry({ schema: postSchema }, { id: 'p', data: {}, file: 'p.mdx' })).toThrow(
      'p.mdx: title is missing',
    )
  })
})
