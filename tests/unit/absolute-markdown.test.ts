import { describe, expect, it } from 'vitest'
import { toAbsoluteMarkdown } from '../../src/content/absolute-markdown.ts'

const page = 'https://press.example/posts/tides'

describe('markdown for readers elsewhere', () => {
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
    ['a definition', '[a][b]\n\n[b]: /c', '[a][b]\n\n[b]: https://press.example/c'],
  ])('has the whole address of %s', (_, markdown, absolute) => {
    expect(toAbsoluteMarkdown(markdown, page)).toBe(absolute)
  })

  it('says in words what a picture shows whose file only the sources have', () => {
    expect(toAbsoluteMarkdown('See ![A cat](./cat.png).', page)).toBe('See (Image: A cat).')
  })

  it.each([
    '[out](https://other.example/a)',
    '<https://other.example/>',
    '[write](mailto:a@b.example)',
    '`[code](/stays)`',
    '```\n[code](/stays)\n```',
    '\\[no link](/stays)',
    'Words.',
  ])('leaves %j as it is', (markdown) => {
    expect(toAbsoluteMarkdown(markdown, page)).toBe(markdown)
  })
})
