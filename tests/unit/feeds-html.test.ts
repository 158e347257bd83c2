import { describe, expect, it } from 'vitest'
import { toFeedHtml } from '../../src/feeds/feed-html.ts'

const page = 'https://press.example/posts/a'
const html = (source: string) => toFeedHtml(source, page)

describe('a post for feed readers', () => {
  it.each([
    ['<a href="/about">x</a>', '<a href="https://press.example/about">x</a>'],
    ['<th>a</th><td style="text-align:right">1</td>', '<th>a</th><td align="right">1</td>'],
    ['<td style="text-align: center">1</td>', '<td align="center">1</td>'],
    ['<a href="#part">x</a>', '<a href="https://press.example/posts/a#part">x</a>'],
    ['<a href="b">x</a>', '<a href="https://press.example/posts/b">x</a>'],
    ['<a href="//other.example/y">x</a>', '<a href="https://other.example/y">x</a>'],
    [
      '<a class="c" href="/q?a=1&amp;b=2" title="a > b">x</a>',
      '<a class="c" href="https://press.example/q?a=1&amp;b=2" title="a > b">x</a>',
    ],
    ['<a href="https://other.example/">x</a>', '<a href="https://other.example/">x</a>'],
    ['<a href="mailto:a@b.example">x</a>', '<a href="mailto:a@b.example">x</a>'],
    ['<img src="/i.jpg" alt="">', '<img src="https://press.example/i.jpg" alt="">'],
    [
      '<img src="/i.jpg" srcset="/i.jpg 1x, /j.jpg 2x" alt="">',
      '<img src="https://press.example/i.jpg" srcset="https://press.example/i.jpg 1x, https://press.example/j.jpg 2x" alt="">',
    ],
    [
      '<img srcset="/i.jpg 1x,/j,k.jpg 2x,data:image/gif;base64,R0lG 3x, /l.jpg" alt="">',
      '<img srcset="https://press.example/i.jpg 1x,https://press.example/j,k.jpg 2x,data:image/gif;base64,R0lG 3x, https://press.example/l.jpg" alt="">',
    ],
    [
      '<a href="/q?a=&#34;1&#34;&#38;b=&quot;&amp;#34;">x</a>',
      '<a href="https://press.example/q?a=%221%22&amp;b=%22&amp;#34;">x</a>',
    ],
    ['<video poster="/p.jpg" controls></video>', '<video poster="https://press.example/p.jpg" controls></video>'],
  ])('has absolute addresses: %s', (source, expected) => {
    expect(html(source)).toBe(expected)
  })

  it('leaves text and code unchanged, even when it looks like markup', () => {
    for (const same of ['<code>&lt;a href="/x"></code>', '<p>say href="/x" and src="/y"</p>', '<p>1 > 0</p>'])
      expect(html(same)).toBe(same)
  })

  it('does not read tags inside attribute values as elements', () => {
    const same = (url: string) =>
      `<p><a href="${url}" title="the <script> and <form>">x</a> y <a href="https://a.example/" title="</script></form>">z</a></p>`
    expect(html(`${same('/about')}<form title="a > b"><p>c</p></form>`)).toBe(same('https://press.example/about'))
  })

  it('omits what only works on the page', () => {
    expect(
      html(
        '<p>a</p><script type="module" src="/x.js"></script><style>p{}</style><button class="copy">Copy</button><form action="/paid"><label>x</label><button>Get</button></form><p>b</p>',
      ),
    ).toBe('<p>a</p><p>b</p>')
  })
})
