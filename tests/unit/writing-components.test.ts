import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { withImports } from '../../src/build/writing-components.ts'
import { makeIdRegister, readEntry, toPlainId } from '../../src/publishing/content-folder.ts'
import { mdxToMarkdown } from '../../src/publishing/mdx-to-markdown.ts'
import { plainCode } from '../../src/publishing/plain-code.ts'
import { postSchema } from '../../src/publishing/post-schema.ts'
import { toSpokenUnits } from '../../src/publishing/spoken-text.ts'
import { findWritingFaults } from '../../src/publishing/writing-faults.ts'

const callout = '<Callout kind="warning">\n\nMind the *gap*.\n\n```sh\nrm -r\n\nx\n```\n\n</Callout>'

describe('a component of writing as plain markdown', () => {
  it('is a quotation when it is a callout, with its name, its words and its code', () => {
    expect(mdxToMarkdown(`Before.\n\n${callout}\n\nAfter.`)).toBe(
      'Before.\n\n> **Warning**\n>\n> Mind the *gap*.\n>\n> ```sh\n> rm -r\n>\n> x\n> ```\n\nAfter.',
    )
    expect(mdxToMarkdown('<Callout title="気をつけて">\n\nあ\n\n</Callout>')).toBe('> **気をつけて**\n>\n> あ')
    expect(mdxToMarkdown('Before.\n<Aside>\n\nBy the way.\n\n</Aside>')).toBe('Before.\n\n> By the way.')
  })

  it('is its content with the caption below when it is a figure', () => {
    expect(mdxToMarkdown('<Figure caption="A *cat*">\n\n![Cat](./cat.png)\n\n</Figure>\n\nAfter.')).toBe(
      '![Cat](./cat.png)\n\n*A \\*cat\\**\n\nAfter.',
    )
  })

  it('is a line with the price when it is a product card, and nothing where no products are known', () => {
    const source = 'See:\n\n<ProductCard slug="x" />\n\nAfter.'
    expect(mdxToMarkdown(source, { x: '[X](/apis/x), $0.05: does x' })).toBe(
      'See:\n\n[X](/apis/x), $0.05: does x\n\nAfter.',
    )
    expect(mdxToMarkdown(source)).toBe('See:\n\nAfter.')
  })

  it('is left alone inside code', () => {
    const source = '```mdx\n<Callout>\n\nx\n\n</Callout>\n```'
    expect(mdxToMarkdown(source)).toBe(source)
  })

  it('is spoken without a trace of markup', () => {
    const spoken = toSpokenUnits(`${callout}\n\n<Figure caption="A cat.">\n\n![Tom](./t.png)\n\n</Figure>`).map(
      (unit) => unit.spoken,
    )
    expect(spoken).toEqual([
      'Warning',
      'Mind the gap.',
      'A code example in shell follows in the text.',
      'Image: Tom.',
      'A cat.',
    ])
  })
})

it('code carries its colours on the page only', () => {
  expect(plainCode('<span>a</span><pre><code><span class="code-keyword">if</span> (x)</code></pre>')).toBe(
    '<span>a</span><pre><code>if (x)</code></pre>',
  )
})

describe('the source of a post', () => {
  it('gets the imports it needs at its end, so that lines keep their numbers', () => {
    const source = 'One\n\n<Callout>\n\nx\n\n</Callout>'
    expect(withImports(source, '/c')).toBe(`${source}\n\nimport Callout from "/c/callout.astro"\n`)
    expect(withImports('plain', '/c')).toBe('plain')
    const own = "import Callout from './mine.astro'\n\n<Callout />"
    expect(withImports(own, '/c')).toBe(own)
  })
})

describe('what is wrong with a post', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'there is.png'), '')
  const file = join(folder, 'a.mdx')
  const faults = (source: string) => findWritingFaults(source, { file, products: new Set(['llms-pack']) })

  it.each([
    ['a product that does not exist', '\n<ProductCard slug="nope" />', 2, 'named "nope"; there are llms-pack'],
    ['an image that is missing', 'a\n\n![A cat](./cat.png)', 3, 'there is no image ./cat.png'],
    ['an image in a folder that is missing', '![A cat](images/cat.png)', 1, 'there is no image images/cat.png'],
    ['a component that does not exist', '<Calout>\n', 1, 'no component <Calout>; there are Aside, Callout'],
    ['a kind of callout that does not exist', '<Callout kind="danger">', 1, 'note, tip, warning, not "danger"'],
    ['a figure without a caption', '<Figure>', 1, 'needs a caption'],
  ])('is found with its line: %s', (_, source, line, sentence) => {
    expect(faults(source)).toEqual([{ line, sentence: expect.stringContaining(sentence) }])
  })

  it('is nothing where all is well, in code, and in what the post brings along', () => {
    const fine = '![x](./there%20is.png) ![y](https://x.test/y.png) ![z](/z.png)\n\n<ProductCard slug="llms-pack" />'
    expect(faults(`${fine}\n\n\`![a](./a.png)\` and \`<Nope>\`\n\n\`\`\`jsx\n<Nope />\n![a](./a.png)\n\`\`\``)).toEqual(
      [],
    )
    expect(faults("import Mine from './mine.astro'\n\n<Mine />\n\n<Fragment>x</Fragment>")).toEqual([])
  })

  it('is said with file, line and what to do, all at once', () => {
    const source = '---\ntitle: "T"\nexcerpt: "x"\npublishedAt: soon\nlabel: x\n---\n'
    const data = { title: 'T', excerpt: 'x', publishedAt: 'soon', label: 'x' }
    expect(() => readEntry({ schema: postSchema }, { id: 'a', data, file: 'a.mdx', source })).toThrow(
      'a.mdx:4: publishedAt must be a date like 2026-11-20 or 2026-11-20T09:00:00Z\na.mdx:1: front matter has fields that mean nothing here: label',
    )
    const findFaults = () => [{ line: 9, sentence: 'is odd' }]
    const right = { title: 'T', excerpt: 'x', publishedAt: '2026-11-20' }
    expect(() => readEntry({ schema: postSchema, findFaults }, { id: 'a', data: right, file: 'a.mdx' })).toThrow(
      'a.mdx:9: is odd',
    )
  })

  it('is a second file for the same address', () => {
    const register = makeIdRegister()
    expect(register(toPlainId('My Post.mdx'), 'posts/My Post.mdx')).toBe('my-post')
    expect(register('my-post', 'posts/My Post.mdx')).toBe('my-post')
    expect(() => register(toPlainId('my-post.mdx'), 'posts/my-post.mdx')).toThrow(
      'posts/my-post.mdx:1: would have the same address as posts/My Post.mdx, my-post; rename one of them',
    )
  })
})
