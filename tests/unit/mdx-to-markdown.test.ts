import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mdxToMarkdown } from '../../src/publishing/mdx-to-markdown.ts'

describe('markdown of an MDX file', () => {
  it.each([
    ['front matter', '---\ntitle: x\n---\n\nText', 'Text'],
    ['imports and exports', "import A from 'a'\nimport B from 'b'\n\nexport const c = { d: '>' }\n\nText", 'Text'],
    ['components', 'Before\n\n<Figure src="a>b" size={{ w: 1 }} />\n\nAfter', 'Before\n\nAfter'],
    ['tags around words', 'A <b>bold</b> <Mark a="1">word</Mark>', 'A bold word'],
    ['comments and expressions', 'A{/* note */} b{" "}c', 'A bc'],
  ])('is without %s', (_, source, markdown) => {
    expect(mdxToMarkdown(source)).toBe(markdown)
  })

  it.each([
    ['inline code', 'Use `<tag>` and ``a ` {b}`` here'],
    ['fenced code', '```ts\nimport x from "y"\nconst a = <T,>(x: T) => { return x }\n```'],
    ['a fence in a list', '- item\n\n  ```html\n  <p>{x}</p>\n  ```\n\ntext'],
    ['tildes around backticks', '~~~md\n```\n<b>\n```\n~~~'],
    ['escapes', 'a \\{b} \\< c'],
    ['a thematic break', 'a\n\n---\n\nb'],
  ])('keeps %s', (_, markdown) => {
    expect(mdxToMarkdown(markdown)).toBe(markdown)
  })

  it('has no tag left outside code, whatever the source', () => {
    const part = fc.constantFrom('<', '>', '<b>', '</b>', '<A x={', '}', '{', '"', 'a', ' ', '\n', '/')
    fc.assert(
      fc.property(fc.array(part), (parts) => !/(?<!\\)<[A-Za-z/]/.test(mdxToMarkdown(parts.join('')))),
      { numRuns: 5000 },
    )
  })

  it('takes time in proportion to the source', () => {
    const started = performance.now()
    for (const hostile of ['<', '{', '`', '<a ', '{"', '```\n', 'import \n', '`a``'])
      mdxToMarkdown(hostile.repeat(20_000))
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
