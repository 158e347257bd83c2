import { describe, expect, it } from 'vitest'
import site from '../../site.config.ts'
import { toAuthorAlternates } from '../../src/alternates/author-alternates.ts'
import { type Author, groupByAuthor, toByline, toSignatures } from '../../src/content/authors.ts'
import { readFrontMatter } from '../../src/content/front-matter.ts'
import { postSchema } from '../../src/content/post-schema.ts'

const ada: Author = { name: 'Ada Quill', about: 'Writes about ink.', link: 'https://ada.example' }
const authors = [ada, { name: 'Bo Lück', about: 'Sets type.' }, { name: 'Nobody', about: 'Wrote nothing.' }]
const required = { title: 'T', excerpt: 'x', publishedAt: '2026-01-01' }
const read = (more: object) => readFrontMatter(postSchema, { ...required, ...more }, 'p.mdx')

describe('the authors of a post', () => {
  it.each([
    [{}, site.author],
    [{ author: 'Ada Quill' }, 'Ada Quill'],
    [{ authors: ['Ada Quill', 'Bo Lück'] }, 'Ada Quill and Bo Lück'],
    [{ authors: ['Ada Quill', 'Bo Lück', 'Cy'] }, 'Ada Quill, Bo Lück, and Cy'],
  ])('are read from its front matter: %j', (signed, byline) => {
    expect(toByline(read(signed))).toBe(byline)
  })

  it('may be given in one way only', () => {
    expect(() => read({ author: 'Ada Quill', authors: ['Bo Lück'] })).toThrow(
      'p.mdx: author means nothing beside authors; name them all there',
    )
    expect(() => read({ authors: [] })).toThrow('p.mdx: authors must')
  })

  it('have a page if the publisher lists them, and are plain names otherwise', () => {
    expect(toSignatures(read({ authors: ['Bo Lück', 'Cy'] }), authors)).toEqual([
      { name: 'Bo Lück', path: '/authors/bo-lück', link: undefined },
      { name: 'Cy' },
    ])
  })
})

describe('the page of an author', () => {
  const post = (slug: string, signed: object) => ({
    slug,
    data: { ...read(signed), author: toByline(read(signed)) },
    markdown: '',
    html: '',
  })
  const posts = [
    post('both', { authors: ['Bo Lück', 'Ada Quill'] }),
    post('hers', { author: 'Ada Quill' }),
    post('ours', {}),
  ]

  it('lists their posts, alone or with others, and exists only with posts', () => {
    const found = groupByAuthor(posts, authors).map(({ author, posts }) => [author.name, posts.map(({ slug }) => slug)])
    expect(found).toEqual([
      ['Ada Quill', ['both', 'hers']],
      ['Bo Lück', ['both']],
    ])
    expect(groupByAuthor(posts, [])).toEqual([])
  })

  it('has a markdown alternate with their own address and their feeds', () => {
    const [page] = toAuthorAlternates(posts, authors)
    expect(page).toMatchObject({ path: '/authors/ada-quill', title: 'Ada Quill', summary: 'Writes about ink.' })
    expect(page?.body).toMatch(/^<https:\/\/ada\.example>\n\n- \[T\]\(\/posts\/both\)/)
    expect(page?.body).toContain('[Atom](/authors/ada-quill/atom.xml)')
  })

  it('belongs to one author only', () => {
    const alike = [ada, { name: 'ada quill', about: 'x' }]
    expect(() => groupByAuthor(posts, alike)).toThrow(
      'ada quill would have the address /authors/ada-quill of Ada Quill',
    )
    expect(() => groupByAuthor(posts, [{ name: '!', about: 'x' }])).toThrow(
      '! would have the address /authors/ of nobody',
    )
  })
})
