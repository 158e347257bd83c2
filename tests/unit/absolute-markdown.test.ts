import { describe, expect, it } from 'vitest'
import { toAbsoluteMarkdown } from '../../src/content/absolute-markdown.ts'

const page = 'https://press.example/posts/tides'

describe('markdown that is read outside the site', () => {
  it.each([
    ['a link', 'See [the shop](/apis/pack "Pack").', 'See [the shop](https://press.example/apis/pack "Pack").'],
    ['a link whose words are its path', '[/apis](/apis)', '[/apis](https://press.example/apis)'],
    ['a place on the page', '[down](#end)', '[down](https://press.example/posts/tides#end)'],
    ['a neighbour in angle brackets', '[next](<moon>)', '[next](<https://press.example/posts/moon>)'],
    ['a picture', '![A [cat](x)](/cat.png)', '![A [cat](x)](https://press.example/cat.png)'],
    [
      'a picture in a link',
      '[![cat](/c.png)](/cats)',
      '[![cat](https://press.example/c.png)](https://press.example/cats)',
    ],
    ['an address whose signs have names', '[a](./b&amp;c "t")', '[a](https://press.example/posts/b&c "t")'],
    ['an address with backslashes', '[a](./b\\_c\\(d)', '[a](https://press.example/posts/b_c\\(d)'],
    ['an address with both in angles', '> [a](<./b\\_c d&amp;>)', '> [a](<https://press.example/posts/b_c%20d&>)'],
    ['a definition', '[a][b]\n\n[b]: /c', '[a][b]\n\n[b]: https://press.example/c'],
    ['a definition with brackets in its name', '[b\\]: /d]: /c', '[b\\]: /d]: https://press.example/c'],
    ['a link with a reference of HTML in it', '[a](/b?c=1&amp;d=2)', '[a](https://press.example/b?c=1&d=2)'],
    ['a link with a reference that is meant', '[a](/b?c&amp;lt;)', '[a](https://press.example/b?c&amp;lt;)'],
    ['a link with escaped signs', '[a](/b\\_c "d")', '[a](https://press.example/b_c "d")'],
    ['a link with half a bracket', '[a](/b\\(c)', '[a](https://press.example/b\\(c)'],
    ['a link with brackets in it', '[a](/b(c(d)))', '[a](https://press.example/b(c(d)))'],
    ['a picture whose title looks like one', '![a](/b "](/b")', '![a](https://press.example/b "](/b")'],
    ['a link on the next line of a quotation', '> [a](\n> /b)', '> [a](\n> https://press.example/b)'],
    ['an address with a bracket by its name', '[a](/b&lpar;c)', '[a](https://press.example/b\\(c)'],
    ['a link in a cell', '|a|\n|-|\n|[a](/b\\|c)|', '|a|\n|-|\n|[a](https://press.example/b\\|c)|'],
    ['a picture with a bracket in code', '![a `]` b](/c)', '![a `]` b](https://press.example/c)'],
    ['a picture with a link in code', '![a `](b)`](/c "d")', '![a `](b)`](https://press.example/c "d")'],
    [
      'a picture in a link, with half a bracket in code',
      '[a ![b `[`](/c) d](/e)',
      '[a ![b `[`](https://press.example/c) d](https://press.example/e)',
    ],
    [
      'a picture with a bracket in a tag',
      '> ![a\n> <b c="]">](\n> /d)',
      '> ![a\n> <b c="]">](\n> https://press.example/d)',
    ],
    ['what is nothing', '[a]()', '[a](https://press.example/posts/tides)'],
  ])('has the absolute URL of %s', (_, markdown, absolute) => {
    expect(toAbsoluteMarkdown(markdown, page)).toBe(absolute)
  })

  it('replaces a picture that only the sources contain with its alternate text', () => {
    expect(toAbsoluteMarkdown('See ![A cat](./cat.png).', page)).toBe('See (Image: A cat).')
  })

  it('does so in a table cell without ending the cell', () => {
    expect(toAbsoluteMarkdown('|a|b|\n|-|-|\n|![x \\| y](./a.png)|![z&#124;][c]|\n\n[c]: ./c.png', page)).toBe(
      '|a|b|\n|-|-|\n|(Image: x \\| y)|(Image: z\\|)|\n\n',
    )
  })

  it('uses the first of two definitions with one name', () => {
    expect(toAbsoluteMarkdown('![A cat][c]\n\n[c]: /cat.png\n[C]: ./old.png', page)).toMatch(
      /^!\[A cat\]\[c\]\n\n\[c\]: https:\/\/press\.example\/cat\.png\n/,
    )
  })

  it('also does so for a picture by reference, and omits the file name', () => {
    const shown = 'See ![A cat][c], ![Tom][C] and ![c].'
    expect(toAbsoluteMarkdown(`${shown}\n\n[c]: <./my cat.png> "Tom"\n\nEnd.`, page)).toBe(
      'See (Image: A cat), (Image: Tom) and (Image: c).\n\n\n\nEnd.',
    )
    expect(toAbsoluteMarkdown('![A cat][c]\n\n[c]: /cat.png', page)).toBe(
      '![A cat][c]\n\n[c]: https://press.example/cat.png',
    )
    expect(toAbsoluteMarkdown('![A cat][c] [it][c]\n\n[c]: ./cat.png', page)).toBe(
      '(Image: A cat) [it][c]\n\n[c]: https://press.example/posts/cat.png',
    )
  })

  it.each([
    '[out](https://other.example/a)',
    '<https://other.example/>',
    '[write](mailto:a@b.example)',
    '`[code](/stays)`',
    '```\n[code](/stays)\n```',
    '\\[no link](/stays)',
    'Words.',
  ])('leaves %j unchanged', (markdown) => {
    expect(toAbsoluteMarkdown(markdown, page)).toBe(markdown)
  })
})
