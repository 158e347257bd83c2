import { satteriCreateHighlightFn, satteriHighlightPlugin } from '@astrojs/markdown-satteri'
import { evaluate } from 'satteri'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { captions } from '../../src/build/captions.ts'
import { codeClasses } from '../../src/build/code-classes.ts'
import { compileWriting } from '../../src/build/compile-writing.ts'
import { pagePlugins } from '../../src/build/page-plugins.ts'
import { pictureReferences } from '../../src/build/picture-references.ts'
import { withImports } from '../../src/build/writing-components.ts'
import { diagramLanguage } from '../../src/content/draw-diagram.ts'
import { plainCode } from '../../src/content/plain-code.ts'
import { features } from '../../src/content/syntax.ts'

const propsSchema = z.record(z.string(), z.unknown())
const isShown = (value: unknown): value is string => typeof value === 'string'

/** The markup of a compiled page, with components rendered as plain elements. */
function jsx(type: unknown, given: unknown): string {
  const { children, 'set:html': html, ...props } = propsSchema.parse(given)
  const inner = isShown(html) ? html : [children].flat(Number.POSITIVE_INFINITY).filter(isShown).join('')
  const attributes = Object.entries(props).map(([name, value]) => ` ${name}="${String(value)}"`)
  return type === 'fragment' ? inner : `<${String(type)}${attributes.join('')}>${inner}</${String(type)}>`
}

const highlight = await satteriCreateHighlightFn('shiki', { theme: 'css-variables', transformers: [codeClasses] })

/** A post compiled as pages are, without the components that show its elements. */
async function pageOf(source: string): Promise<string> {
  if (!highlight) throw new Error('nothing colours the code')
  const page = await evaluate(withImports(source, '/c').replace(/^import .*$/gm, ''), {
    Fragment: 'fragment',
    jsx,
    jsxs: jsx,
    features,
    mdastPlugins: [captions, pictureReferences],
    elementAttributeNameCase: 'html',
    hastPlugins: [satteriHighlightPlugin(highlight, ['math', diagramLanguage]), ...pagePlugins],
  })
  if (typeof page['default'] !== 'function') throw new Error('no page')
  return String(page['default']({ components: { Fragment: 'fragment', Figure: 'picture', Tabs: 'tabs' } }))
}

it('every heading has a unique id, even one without letters', async () => {
  const source = '## ???\n\n## ???\n\n## Section\n\n## 日本語\n\n#### 🎉\n\n##\n\n## $x$\n\n## Größe\n\n## Größe'
  const ids = Array.from((await pageOf(source)).matchAll(/<h\d id="([^"]*)">/g), ([, id]) => id)
  expect(ids).toEqual(['Section', '-1', 'section', '日本語', '-2', '-3', '-4', 'größe', 'größe-1'])
  const compiled = await compileWriting(source, 'content/posts/a.mdx')
  const listed = Array.from(compiled.matchAll(/"slug":"([^"]*)"/g), ([, id]) => id)
  expect(listed).toEqual(ids)
})

describe('a block of code on a page', () => {
  it('has its title as data, and its marked lines as semantic elements', async () => {
    const source = '```js title="a.js" {1} ins={3} del={2}\nif (a)\n  b()\n  c()\nd()\n```'
    expect((await pageOf(source)).replace(/<\/?span[^>]*>/g, '')).toBe(
      [
        '<pre data-language="js" data-title="a.js"><code><mark>if (a)\n</mark>',
        '<del>  b()\n</del>',
        '<ins>  c()\n</ins>',
        'd()</code></pre>',
      ].join(''),
    )
  })

  it('is fully highlighted, however busy the machine is', async () => {
    let now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 10_000))
    const page = await pageOf('```js\nconst a = "1"\nconst b = "2"\n```')
    clock.mockRestore()
    expect([page.split('code-keyword').length, page.split('code-string').length]).toEqual([5, 3])
  })

  it('marks added and removed lines of a diff, without style attributes', async () => {
    const page = await pageOf('```diff\n- a\n+ b\n```')
    expect(page.replace(/<\/?span[^>]*>/g, '')).toBe('<pre data-language="diff"><code>- a\n+ b</code></pre>')
    expect(page).not.toContain('style=')
  })

  it('knows its position among several', async () => {
    const two = '```sh\na\n```\n\n```ts title="b.ts"\nb\n```'
    const page = await pageOf(`<Tabs>\n\n${two}\n\n</Tabs>\n\n<Tabs>\n\n${two}\n\n</Tabs>\n\n${two}`)
    expect(page.match(/data-tab="[^"]*"/g)).toEqual(['1.0', '1.1', '2.0', '2.1'].map((tab) => `data-tab="${tab}"`))
  })

  it('has its title once in feeds, and keeps its marks there', async () => {
    const page = await pageOf('<Tabs>\n\n```js title="<a>.js" {1}\nlet a\n```\n\n```sh\nb\n```\n\n</Tabs>')
    expect(plainCode(page.replaceAll('"<a>.js"', '"&lt;a&gt;.js"'))).toBe(
      '<tabs><figure><figcaption>&lt;a&gt;.js</figcaption><pre data-language="js"><code><mark>let a</mark></code></pre></figure><pre data-language="sh"><code>b</code></pre></tabs>',
    )
  })
})

describe('a formula on a page', () => {
  it('is MathML with its TeX as text alternative, and without styles', async () => {
    const page = await pageOf('So $$\\frac{a}{b} < "1"$$ holds, as does $x^2$, for $5 and $6.')
    expect(page).toMatch(/<math alttext="\\frac\{a\}\{b\} &lt; &quot;1&quot;".*<mfrac>/s)
    expect(page).toMatch(/<math alttext="x\^2".*<msup>/s)
    expect(page).toContain('for $5 and $6.')
    const styled = await pageOf('$$\\boxed{x} \\textcolor{red}{y}$$')
    expect(styled).toMatch(/<mi[^>]*>x<.*<mi[^>]*>y</s)
    expect(page + styled).not.toMatch(/ style=|<code/)
  })

  it('is a block if it stands alone, and can be focused to scroll it by keyboard', async () => {
    for (const source of ['$$\nx\n$$', '$$x$$', '$x$'])
      expect(await pageOf(`${source}\n`)).toMatch(
        /^<p><span class="formula" role="group" aria-label="Formula" tabindex="0"><math alttext="x" display="block".*<\/math><\/span><\/p>$/,
      )
  })
})

it('a picture on a page has its title as caption if it stands alone, and not otherwise', async () => {
  const picture = '![A *cat*](/cat.png "Tom, \'asleep\'")'
  expect(await pageOf(`${picture}\n\nBeside ${picture}.`)).toBe(
    '<picture caption="Tom, \'asleep\'"><p><img src="/cat.png" alt="A cat"></img></p></picture>\n<p>Beside <img src="/cat.png" alt="A cat" title="Tom, \'asleep\'"></img>.</p>',
  )
  expect(withImports(picture, '/c')).toBe(`${picture}\n\nimport Figure from "/c/figure.astro"\n`)
})

it('a diagram on a page is SVG in the colour of the text, labelled by its title, without styles and scripts', async () => {
  const page = await pageOf('```nomnoml title="Who pays & whom"\n[Buyer] asks -> [Shop "A"]\n#stroke: red\n```')
  expect(page).toMatch(/^<figure class="diagram">.*<svg role="img" aria-label="Who pays &amp; whom".*<\/svg>/s)
  expect(page).toContain('<figcaption>Who pays &amp; whom</figcaption></figure>')
  expect(page).toMatch(/>Buyer<\/text>.*>Shop &quot;A&quot;<\/text>/s)
  expect(page).toContain('stroke="currentColor"')
  expect(page).not.toMatch(/ style=|<style|<script|red|#[\da-f]{3}/i)
})

describe('a picture by reference', () => {
  it('is a local one if its file lies beside the text, by Astro’s rules', async () => {
    const source =
      'a ![A *cat*][c] b ![C] and ![none]\n\n> ![in][d]\n\n[c]: ./my%20cat.png "Tom"\n[C]: ./other.png\n[d]: /d.png\n'
    const compiled = await compileWriting(source, '/posts/a.mdx')
    expect(compiled.match(/from "[^"]*\.png"/g)).toEqual(['from "./my cat.png"'])
    const page = await pageOf(source)
    expect(page.match(/<img[^>]*>/g)).toEqual([
      expect.stringMatching(/src="\.\/my%20cat\.png".*alt="A cat"|alt="A cat".*src="\.\/my%20cat\.png"/),
      expect.stringContaining('./my%20cat.png'),
      expect.stringContaining('/d.png'),
    ])
    expect(page).toContain('![none]')
  })
})
