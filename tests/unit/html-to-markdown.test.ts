import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanText } from '../../functions/llms-pack/clean-text.ts'
import { htmlToMarkdown } from '../../functions/llms-pack/html/html-to-markdown.ts'
import { figure, seed } from '../support/figures.ts'

const read = (html: string) => htmlToMarkdown(html, { url: 'https://site.example/dir/page', enough: 100_000 })
const text = (html: string) => read(html).text

const shapes: readonly (readonly [what: string, html: string, markdown: string])[] = [
  ['headings', '<h1>One</h1><h3>Two <em>three</em></h3>', '# One\n\n### Two *three*'],
  ['paragraphs that nobody closed', '<p>one<p>two', 'one\n\ntwo'],
  ['numbers that items have of their own', '<ol><li>a<li value=5>b<li>c<li value=x>d</ol>', '1. a\n5. b\n6. c\n7. d'],
  ['numbers that count down', '<ol reversed start=10><li>a<li>b<li value=2>c<li>d</ol>', '10. a\n9. b\n2. c\n1. d'],
  ['numbers that count down from the first', '<ol reversed><li value=3>a<li>b<li>c</ol>', '3. a\n2. b\n1. c'],
  ['lists in lists', '<ul><li>a<li>b<ol start=3><li>c<li>d</ol><li>e</ul>', '- a\n- b\n  3. c\n  4. d\n- e'],
  ['paragraphs in items', '<ul><li><p>a</p><p>b</p></li></ul>', '- a\n\n  b'],
  ['quotations', '<blockquote><p>a</p><p>b</p></blockquote><p>c', '> a\n>\n> b\n\nc'],
  [
    'listings with their language and spaces',
    '<pre><code class="language-js">if (a &lt; b) {\n  go()\n}\n</code></pre>',
    '```js\nif (a < b) {\n  go()\n}\n```',
  ],
  ['listings that hold a fence', '<pre>```\nx</pre>', '````\n```\nx\n````'],
  ['listings with an element for each line', '<pre><div>a</div><div> b</div></pre>', '```\na\n b\n```'],
  ['code in a line', '<p>call <code>f(`x`)</code>', 'call `` f(`x`) ``'],
  [
    'links, absolute',
    '<p><a href="../up?a=1&amp;b=(2)">up</a> <a href="#here">here</a> <a href="javascript:x()">no</a>',
    '[up](https://site.example/up?a=1&b=%282%29) here no',
  ],
  ['links below a base', '<base href="https://other.example/"><p><a href="x">x</a>', '[x](https://other.example/x)'],
  ['marks without the spaces inside them', '<p>a<b> b </b>c <i><i>d</i></i> <b></b>e', 'a **b** c *d* e'],
  ['marks that cross', '<p><b>a<i>b</b>c</i>', '**a*b***c'],
  ['marks that span blocks', '<b><p>a</p><p>b</p></b>', '**a**\n\n**b**'],
  [
    'cells with an escaped pipe in them',
    '<table><tr><th>A<th>B<tr><td>a\\|b<td><code>c\\|d</code></table>',
    '| A | B |\n| --- | --- |\n| a\\\\\\|b | `c\\\\\\|d` |',
  ],
  ['tables with a head', '<table><tr><th>A<th>B|C<tr><td>1<td>2</table>', '| A | B\\|C |\n| --- | --- |\n| 1 | 2 |'],
  [
    'cells that span',
    '<table><tr><th colspan=2>A<tr><td rowspan=2>x<td>y<tr><td>z</table>',
    '| A |  |\n| --- | --- |\n| x | y |\n|  | z |',
  ],
  ['tables that only place things', '<table><tr><td><h1>A</h1><p>b</p></td><td><p>c</table>', '# A\n\nb\n\nc'],
  ['lines that are broken', '<p>a<br>b<br><br>c', 'a\nb\n\nc'],
  ['rules', '<p>a<hr><p>b', 'a\n\n* * *\n\nb'],
  ['terms', '<dl><dt>a<dd>b</dl>', '**a**\n\nb'],
  ['details', '<details><summary>a</summary>b</details>', '**a**\n\nb'],
  ['powers, but not the numbers of notes', '<p>10<sup>3</sup> m<sup><a href="#n1">1</a></sup>', '10^3 m'],
  ['readings of signs', '<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字', '漢(かん)字'],
  ['pictures by their description', '<p><img src=x alt="A red kite"> flies', 'A red kite flies'],
  ['space as one', '<p>a &nbsp;\n\t b', 'a b'],
  [
    'what stands beside the text, away',
    '<nav>menu</nav><div class="cookie-banner">We use cookies</div><main><p>text</p><div class="social share">share</div></main><footer>foot</footer>',
    'text',
  ],
  [
    'what is not shown, away',
    '<main>a<p hidden>b</p><p style="color:red; display: none">c</p><span aria-hidden="true">d</span><template>e</template><script>f</script><style>g</style><svg><title>h</title></svg>i</main>',
    'ai',
  ],
]

describe('the text of a page', () => {
  it.each(shapes)('keeps %s', (_, html, markdown) => {
    expect(text(html)).toBe(markdown)
  })

  it('has the title of the document, of its og: tags, or of its heading, on one line', () => {
    expect(read('<title>\n A &amp; \n&lt;b&gt; </title><h1>x').title).toBe('A & &lt;b>')
    expect(read('<meta property="og:title" content="Graph"><h1>x').title).toBe('Graph')
    expect(read('<p>a<h1>The <i>heading</i></h1>').title).toBe('The heading')
    expect(read('<p>a').title).toBe('')
    expect(read(`<title>${'long '.repeat(1000)}</title>`).title).toHaveLength(300)
  })

  it('is the whole page if no part of it is marked as main', () => {
    expect(text('<nav><a href="/a">A</a></nav><p>Little.')).toBe('[A](https://site.example/a)\n\nLittle.')
    expect(text('<div id="app"></div><noscript>Turn on JavaScript</noscript><script>go()</script>')).toBe(
      'Turn on JavaScript',
    )
    expect(
      text('<body class="sidebar footer"><div class="sidebar"><p>All there is, and a little more than that.'),
    ).toBe('All there is, and a little more than that.')
  })

  it('is not confused by names of Object properties', () => {
    expect(text('<constructor>a</constructor><p toString=1 class=constructor>b')).toBe('a\n\nb')
  })
})

const piece = fc.oneof(
  fc.constantFrom(...'<>&`\\/!?"\' =-~|#*_'.split(''), '\n'),
  fc.constantFrom(
    '<b>',
    '</b>',
    '<script>',
    '</script>',
    '<pre>',
    '</pre>',
    '<code>',
    '</code>',
    '<p>',
    '<li>',
    '<table><tr><td>',
    '<a href="',
    '">',
    '&lt;',
    '&gt;',
    '&amp;lt;',
    '&#60;',
    '&#96;',
    '&#92;',
    '<!--',
    '-->',
    '<![CDATA[',
    '<textarea>',
    '<svg>',
    '<title>',
    '</title>',
    '<img alt="',
    '<br>',
    '~~~',
    '```',
  ),
  fc.constantFrom('script', 'img src=x onerror=alert(1)', 'b', 'x', '漢', '\u200b', '\u001b[1m', '&#8203;', '\0'),
)
const hostilePage = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

/** Markdown without its code spans, parsed as CommonMark does: a run of backticks ends at one of the same length. */
function withoutCode(markdown: string): string {
  const text = markdown.replace(/^(?:[> ]|- |\d+\. )*(`{3,})[^\n`]*\n[\s\S]*?\n[> ]*\1$/gm, '.')
  let kept = ''
  for (let at = 0; at < text.length; ) {
    const [found = ''] = /^(?:\\[\\`]|`+|[^\\`]+|\\)/.exec(text.slice(at)) ?? []
    const end = found.startsWith('`') ? endOfCode(text, at + found.length, found.length) : undefined
    kept += end === undefined ? found : '.'
    at = end ?? at + found.length
  }
  return kept
}

function endOfCode(text: string, from: number, length: number): number | undefined {
  for (const { 0: run, index } of text.slice(from).matchAll(/`+/g))
    if (run.length === length) return from + index + length
  return undefined
}

describe('no tag', () => {
  it.each([
    ['a backslash at the end of a line', '\\<br><code>&#60;script</code>', '\\\n`<script`'],
    ['a backslash at the end of a mark', '<b>a\\</b><code>&#60;script</code>', '**a\\**`<script`'],
    ['code that shows nothing', '<code>\u001b</code> <code>a`&#60;script</code>', '`` a`<script ``'],
    ['code that holds a space alone', 'a<code> </code>`<code>\u200b</code>&#60;script', 'a \\`&lt;script'],
  ])('leaves a code span because of %s', (_, html, markdown) => {
    expect(text(html)).toBe(markdown)
  })

  it('is left outside of code, whatever a page contains', () => {
    fc.assert(
      fc.property(hostilePage, (html) => {
        const page = read(html)
        const isClean = cleanText(page.text) === page.text
        return isClean && !/<[a-z/!?]/i.test(withoutCode(page.text)) && !/<[a-z/!?]|\n/i.test(page.title)
      }),
      { numRuns: figure(30_000, 1_000_000), ...seed },
    )
  })
})
