import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { withImports } from '../../src/build/writing-components.ts'
import { makeIdRegister, readEntry, toPlainId } from '../../src/content/content-folder.ts'
import { plainCode } from '../../src/content/plain-code.ts'
import { postSchema } from '../../src/content/post-schema.ts'
import { toMarkdown } from '../../src/content/to-markdown.ts'
import { findTimingFault } from '../../src/content/waiting-posts.ts'
import { readWriting } from '../../src/content/writing.ts'
import { findWritingFaults } from '../../src/content/writing-faults.ts'
import { toSpokenUnits } from '../../src/narration/text/spoken-text.ts'

const markdownOf = (...text: Parameters<typeof readWriting>) => toMarkdown(readWriting(...text))
const callout = '<Callout kind="warning">\n\nMind the *gap*.\n\n```sh\nrm -r\n\nx\n```\n\n</Callout>'

describe('a component of a post as plain markdown', () => {
  it('is a quotation for a callout, with its title, its text and its code', () => {
    expect(markdownOf(`Before.\n\n${callout}\n\nAfter.`)).toBe(
      'Before.\n\n> **Warning**\n>\n> Mind the *gap*.\n>\n> ```sh\n> rm -r\n>\n> x\n> ```\n\nAfter.',
    )
    expect(markdownOf('<Callout title="気をつけて">\n\nあ\n\n</Callout>')).toBe('> **気をつけて**\n>\n> あ')
    expect(markdownOf('Before.\n<Aside>\n\nBy the way.\n\n</Aside>')).toBe('Before.\n\n> By the way.')
  })

  it('is its content with the caption below for a figure', () => {
    expect(markdownOf('<Figure caption="A *cat*">\n\n![Cat](./cat.png)\n\n</Figure>\n\nAfter.')).toBe(
      '![Cat](./cat.png)\n\n*A \\*cat\\**\n\nAfter.',
    )
  })

  it('is a picture with its title below like a figure, if it stands alone', () => {
    expect(markdownOf('![A [cat]](./a%20cat.png "A *cat*")\n\nBeside ![it](./cat.png "Tom").')).toBe(
      '![A \\[cat\\]](./a%20cat.png)\n\n*A \\*cat\\**\n\nBeside ![it](./cat.png "Tom").',
    )
  })

  it('is a line with the price for a product card, and nothing without products', () => {
    const source = 'See:\n\n<ProductCard slug="x" />\n\nAfter.'
    expect(markdownOf(source, { x: { title: 'X', path: '/apis/x', about: '$0.05: does x' } })).toBe(
      'See:\n\n[X](/apis/x), $0.05: does x\n\nAfter.',
    )
    expect(markdownOf(source)).toBe('See:\n\nAfter.')
  })

  it('is a sequence of its blocks for tabs', () => {
    const blocks = '```sh\na\n```\n\n```ts title="b.ts"\nb\n```'
    expect(markdownOf(`<Tabs>\n\n${blocks}\n\n</Tabs>\n\nAfter.`)).toBe(`${blocks}\n\nAfter.`)
  })

  it('is unchanged inside code', () => {
    const source = '```mdx\n<Callout>\n\nx\n\n</Callout>\n```'
    expect(markdownOf(source)).toBe(source)
  })

  it('is narrated without any markup', () => {
    const writing = readWriting(`${callout}\n\n<Figure caption="A cat.">\n\n![Tom](./t.png)\n\n</Figure>`)
    const spoken = toSpokenUnits(writing).map((unit) => unit.spoken)
    expect(spoken).toEqual([
      'Warning',
      'Mind the gap.',
      'A code example in shell follows in the text.',
      'Image: Tom.',
      'A cat.',
    ])
  })
})

it('code has highlighting on the page only', () => {
  expect(plainCode('<span>a</span><pre><code><span class="code-keyword">if</span> (x)</code></pre>')).toBe(
    '<span>a</span><pre><code>if (x)</code></pre>',
  )
  const titled =
    '<pre data-language="ts" data-title="a -> Array<b>, &#38;c"><code>x <span class="code-string">y</span></code></pre>'
  expect(plainCode(titled)).toBe(
    '<figure><figcaption>a -> Array&lt;b>, &#38;c</figcaption><pre data-language="ts"><code>x y</code></pre></figure>',
  )
})

describe('the source of a post', () => {
  it('gets its imports at the end, so that line numbers stay the same', () => {
    const source = 'One\n\n<Callout>\n\nx\n\n</Callout>'
    expect(withImports(source, '/c')).toBe(`${source}\n\nimport Callout from "/c/callout.astro"\n`)
    expect(withImports('plain', '/c')).toBe('plain')
    const own = "import Callout from './mine.astro'\n\n<Callout />"
    expect(withImports(own, '/c')).toBe(own)
  })
})

describe('a fault in a post', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  for (const name of ['there is.png', '50%.png', 'h\u00e4fen.png', 'phone.HEIC']) writeFileSync(join(folder, name), '')
  const file = join(folder, 'a.mdx')
  const faults = (source: string) =>
    findWritingFaults(source, { file, products: new Set(['llms-pack']), baseUrl: 'https://own.test' })

  it.each([
    ['a line above the front matter', '\n---\ntitle: A\n---\n\na', 1, 'begins in the first line'],
    [
      'a product that does not exist',
      '\n<ProductCard slug="nope" />',
      2,
      'named "nope" is for sale; for sale are llms-pack',
    ],
    ['an image with half a code', 'a\n\n![A cat](./50%.png)', 3, 'the address of the image ./50%.png has a % that'],
    ['an import without an end', "a\n\nimport Mine from './mine.astro'\nimport y from 5\n\na", 4, 'cannot be read: '],
    ['an export of nothing', 'a\n\nexport const = 5', 3, 'this import or export cannot be read: '],
    ['an image that is missing', 'a\n\n![A cat](./cat.png)', 3, 'there is no image ./cat.png'],
    [
      'a picture of a phone that browsers do not show',
      'a\n\n![A cat](./phone.HEIC)',
      3,
      'browsers do not show ./phone.HEIC; save the picture as JPEG, PNG, WebP, AVIF, GIF or SVG',
    ],
    ['an image in a folder that is missing', '![A cat](images/cat.png)', 1, 'there is no image images/cat.png'],
    ['a component that does not exist', '<Calout />\n', 1, 'no component <Calout>; available are Aside, Callout'],
    ['a kind of callout that does not exist', '<Callout kind="danger" />', 1, 'note, tip, warning, not "danger"'],
    [
      'an expression that calls',
      'a\n\nNow {Date.now()}',
      3,
      'the value of {Date.now()} cannot be known when the site is',
    ],
    [
      'a name that is imported',
      "import { n } from './n.ts'\n\n- {n}",
      3,
      'write it out, or declare it here with "export const"',
    ],
    ['a component in an expression', '{true &&\n  <b>x</b>}', 1, 'the value of {true && <b>x</b>} cannot be known'],
    ['an attribute that calls', '<Callout title={name()}>x</Callout>', 1, 'the value of {name()} cannot be known'],
    ['attributes from elsewhere', '<Callout {...rest}>x</Callout>', 1, 'the value of {...rest} cannot be known'],
    ['a tag that does not close', 'a\n\nb <b>c', 3, 'Expected a closing tag for `<b>`'],
    ['a shortcode of Hugo', 'a\n\n{{< youtube x >}}', 3, 'write \\{ for a brace, and take out what another program'],
    ['a tag of Jekyll', '{% highlight ruby %}\nx\n{% endhighlight %}', 1, 'such as {{< figure >}} or {% highlight %}'],
    ['a line break of HTML', 'a<br>b', 1, 'write <br /> here: in posts, each tag is closed'],
    ['a remark of HTML', 'a\n\n<!--more-->', 3, 'write {/* a remark */} instead of <!-- a remark -->'],
    ['a sign that begins no tag', 'I <3 you', 1, 'write \\< for the sign, [text](address) for a link'],
    [
      'a tag around several paragraphs',
      '<details><summary>A</summary>\n\nb\n\n</details>',
      1,
      'close it; around several paragraphs, put each tag on a line of its own',
    ],
    [
      'a video of another site',
      'a\n\n<iframe src="https://videos.test/1"></iframe>',
      3,
      'pages load nothing from other sites, so <iframe> would be empty; link to https://videos.test/1 instead',
    ],
    ['an image of another site in a tag', '<img src="//old.test/a.png" />', 1, 'would be empty; put the file beside'],
    ['a program of another site', '<script src="https://old.test/a.js" />', 1, 'so <script> would be empty; link'],
    [
      'a preview image of a video from another site',
      '<video src="/a.mp4" poster="https://old.test/a.jpg"></video>',
      1,
      'so <video> would be empty; put the file beside this one, or link to https://old.test/a.jpg',
    ],
    [
      'an image of another site for large screens',
      'a\n\n<img src="/a.png" srcset="/b.png 2x, https://old.test/c.png 3x" />',
      3,
      'so <img> would be empty; put the file beside this one, or link to https://old.test/c.png',
    ],
    ['an image that is named elsewhere', '![A cat][cat]\n\n[cat]: ./cat.png', 3, 'there is no image ./cat.png'],
    ['a figure without a caption', '<Figure />', 1, 'needs a caption'],
    ['marks of lines that are not there', 'a\n\n```ts {2}\na\n```', 3, 'the code has 1 line, so {2} marks none'],
    ['tabs of something else', '\n<Tabs>\n\n```ts\na\n```\n\nb\n\n</Tabs>', 2, 'two or more blocks of code'],
    ['one tab alone', '<Tabs>\n\n```ts\na\n```\n\n</Tabs>', 1, 'two or more blocks of code'],
    ['a formula that is no TeX', 'a\n\nSo $\\frac{a$ is', 3, 'the formula cannot be read: Unexpected end'],
    ['an unknown command', 'a\n\n$$\n\\nope x\n$$', 3, 'the formula cannot be read'],
    ['a diagram without a title', '```nomnoml\n[a]\n```', 1, 'needs a title: ```nomnoml title='],
    [
      'a diagram that does not close',
      '\n```nomnoml title="A"\n[a]\n[b\n```',
      4,
      'the diagram cannot be read: Parse error',
    ],
  ])('is found with its line: %s', (_, source, line, sentence) => {
    expect(faults(source)).toEqual([{ line, sentence: expect.stringContaining(sentence) }])
  })

  it('does not exist in a correct post, in code, or in what the post imports', () => {
    const fine = '![x](./there%20is.png) ![y](https://x.test/y.png) ![z](/z.png)\n\n<ProductCard slug="llms-pack" />'
    expect(faults(`${fine}\n\n\`![a](./a.png)\` and \`<Nope>\`\n\n\`\`\`jsx\n<Nope />\n![a](./a.png)\n\`\`\``)).toEqual(
      [],
    )
    expect(faults('![x](./50%25.png) ![y](./h%C3%A4fen.png) ![z](./h\u00e4fen.png)')).toEqual([])
    expect(faults('<img src="https://own.test/a.png" alt="" /> <img src="//own.test/a.png" alt="" />')).toEqual([])
    expect(faults('\ufeff---\ntitle: A\n---\n\na')).toEqual([])
    expect(faults('export const n = 3\n\n{n + 4}{/* seven */} <Callout title={n}>x</Callout>')).toEqual([])
    expect(
      faults('<img src="/a.png" /><audio src="./a.mp3" controls /><img src="data:image/png;base64,AA==" />'),
    ).toEqual([])
    expect(faults("import Mine from './mine.astro'\n\n<Mine />\n\n<Fragment>x</Fragment>")).toEqual([])
  })

  it('is reported with file, line and what to do, all faults at once', () => {
    const source = '---\ntitle: "T"\nexcerpt: "x"\npublishedAt: soon\nlabel: x\n---\n'
    const data = { title: 'T', excerpt: 'x', publishedAt: 'soon', label: 'x' }
    expect(() => readEntry({ schema: postSchema }, { id: 'a', data, file: 'a.mdx', source })).toThrow(
      'a.mdx:4: publishedAt must be a date like 2026-11-20 or 2026-11-20T09:00:00Z\na.mdx:5: label is not known here; known are title, excerpt, publishedAt, updatedAt, author, authors, tags, series, language, cover, image, audio, product, aliases, draft',
    )
    const late = '\ufeff---\r\ntitle: T\r\nexcerpt: x\r\npublishedAt: 2026-02-30\r\nlabel: x\r\n---\r\n'
    expect(() => readEntry({ schema: postSchema }, { id: 'a', data, file: 'a.mdx', source: late })).toThrow(
      /^a\.mdx:4: publishedAt must be.*\na\.mdx:5: label/,
    )
    const check = (read: { publishedAt: Date; draft: boolean }, _: string, _file: string, text: string) =>
      findTimingFault(read, text)
    const normalized = { title: 'T', excerpt: 'x', publishedAt: new Date('2026-03-02') }
    expect(() =>
      readEntry({ schema: postSchema, check }, { id: 'a', data: normalized, file: 'a.mdx', source: late }),
    ).toThrow('a.mdx:4: publishedAt must be a day that there is')
    const findFaults = () => [{ line: 9, sentence: 'is odd' }]
    const right = { title: 'T', excerpt: 'x', publishedAt: '2026-11-20' }
    expect(() => readEntry({ schema: postSchema, findFaults }, { id: 'a', data: right, file: 'a.mdx' })).toThrow(
      'a.mdx:9: is odd',
    )
    expect(() => readEntry({ schema: postSchema, findFaults }, { id: 'a', data, file: 'a.mdx', source })).toThrow(
      /^a\.mdx:4: .*\na\.mdx:5: .*\na\.mdx:9: is odd$/,
    )
  })

  it('may be a second file for the same address', () => {
    const register = makeIdRegister()
    expect(register(toPlainId('My Post.mdx'), 'posts/My Post.mdx')).toBe('my-post')
    expect(register('my-post', 'posts/My Post.mdx')).toBe('my-post')
    expect(() => register(toPlainId('my-post.mdx'), 'posts/my-post.mdx')).toThrow(
      'posts/my-post.mdx:1: would have the same address as posts/My Post.mdx, my-post; rename one of them',
    )
  })
})
