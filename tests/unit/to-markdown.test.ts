import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toMarkdown } from '../../src/content/to-markdown.ts'
import { readWriting } from '../../src/content/writing.ts'
import { nodesOf, parseMarkdown, parseWriting } from '../../src/content/writing-tree.ts'
import { figure, seed } from '../support/figures.ts'

const markdownOf = (source: string) => toMarkdown(readWriting(source))

describe('markdown of an MDX file', () => {
  it.each([
    ['front matter', '---\ntitle: x\n---\n\nText', 'Text'],
    [
      'the mark that some editors begin a file with',
      '\ufeff---\ntitle: x\n---\n\nSo *it* is $n > 1$.',
      'So *it* is $$n > 1$$.',
    ],
    ['imports and exports', "import A from 'a'\nimport B from 'b'\n\nexport const c = { d: '>' }\n\nText", 'Text'],
    ['components', 'Before\n\n<Mine src="a>b" size={{ w: 1 }} />\n\nAfter', 'Before\n\nAfter'],
    ['tags around words', 'A <b>bold</b> <Mark a="1">word</Mark>', 'A bold word'],
    ['comments', 'A{/* note */} b\n\n{/* another */}\n\nc', 'A b\n\nc'],
    ['comments at the beginning of an item', '- {/* note */}\n\n  a\n- b', '- a\n- b'],
    ['the margin of what components hold', '<div>\n    a\n    b\n\n    - c\n      - d\n</div>', 'a\nb\n\n- c\n  - d'],
  ])('omits %s', (_, source, markdown) => {
    expect(markdownOf(source)).toBe(markdown)
  })

  it.each([
    ['sums and texts', `{3 + 4} b{' '}c {\`\${1 + 1} *x*\`} {-0.5}`, '7 b c 2 \\*x\\* -0.5'],
    ['constants of the post', "export const price = { usd: '$0.05' }\n\nOnly {price.usd}.", 'Only $0.05.'],
    ['choices', "So {1 > 2 ? 'yes' : 'no'}{false && 'x'}{null}{[1, 'a']}", 'So no1a'],
    ['blocks', 'a\n\n{2 * 3}\n\nb', 'a\n\n6\n\nb'],
    ['cells', "| a |\n| - |\n| {'x | y'} |", '| a |\n| - |\n| x \\| y |'],
    [
      'words that look like markdown',
      "{'# a'}\n\n{'1. b'}\n\n{'&lt; _c_ snake_case'}",
      '\\# a\n\n1\\. b\n\n\\&lt; \\_c\\_ snake_case',
    ],
  ])('has the values of expressions: %s', (_, source, markdown) => {
    expect(markdownOf(source)).toBe(markdown)
  })

  it.each([
    ['inline code', 'Use `<tag>` and ``a ` {b}`` here'],
    ['fenced code', '```ts\nimport x from "y"\nconst a = <T,>(x: T) => { return x }\n\n\n\n  b  \n```'],
    ['a fence in a list', '- item\n\n  ```html\n  <p>{x}</p>\n  ```\n\ntext'],
    ['tildes around backticks', '~~~md\n```\n<b>\n```\n~~~'],
    ['escapes', 'a \\{b} \\< c &frac12;'],
    ['line breaks', 'a  \nb\\\nc'],
    ['a thematic break', 'a\n\n---\n\nb'],
  ])('keeps %s', (_, markdown) => {
    expect(markdownOf(markdown)).toBe(markdown)
  })

  it.each([
    ['over several lines', '<Callout\n  title="A"\n  kind={"tip"}\n>\nx\n</Callout>', '> **A**\n>\n> x'],
    ['in a list', '- a\n\n  <Aside>\n  b\n\n      c\n  </Aside>\n\n- d', '- a\n\n  > b\n  >\n  > c\n\n- d'],
    ['in a quotation', '> <Aside>\n> a\n> b\n> </Aside>', '> > a\n> > b'],
    ['within another', '<Callout>\n<Figure caption="{c}">\na\n</Figure>\n</Callout>', '> **Note**\n>\n> a\n>\n> *{c}*'],
    ['in a line', 'a <Callout title="b">c</Callout> d', 'a **b** c d'],
  ])('has the text of components: %s', (_, source, markdown) => {
    expect(markdownOf(source)).toBe(markdown)
  })

  it('contains no tag, whatever the source', () => {
    const part = fc.constantFrom('<', '>', '<b>', '</b>', '<A x={1}/>', '{1}', '{', '"', 'a', ' ', '\n', '/', '\\', '`')
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const source = parts.join('')
        if ('sentence' in parseWriting(source)) return true
        return nodesOf(parseMarkdown(markdownOf(source))).every(({ type }) => type !== 'html')
      }),
      { numRuns: figure(2000, 200_000), ...seed, examples: [[['<b>', '\n', '>', '</b>']]] },
    )
  })
})
