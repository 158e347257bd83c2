import fc from 'fast-check'
import { defineMdastPlugin, evaluate, type HastNode, htmlToHast, markdownToHtml } from 'satteri'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { captions } from '../../src/build/captions.ts'
import { calloutName } from '../../src/content/callout-name.ts'
import { readCodeMeta } from '../../src/content/code-meta.ts'
import { features as syntax } from '../../src/content/syntax.ts'
import { toMarkdown } from '../../src/content/to-markdown.ts'
import { toPlainText } from '../../src/content/to-plain-text.ts'
import { withFormulas } from '../../src/content/with-formulas.ts'
import { readWriting } from '../../src/content/writing.ts'
import { parseWriting } from '../../src/content/writing-tree.ts'
import { toSpokenUnits } from '../../src/narration/text/spoken-text.ts'
import { figure, limitMs, seed } from '../support/figures.ts'

/** The syntax options that Astro uses for pages. */
const features = { ...syntax, gfm: true, smartPunctuation: true }
const products = { card: { title: 'Card', path: '/apis/card', about: '$0.05: cardwords' } }

const inWords = new Set('a b code del em span strong'.split(' '))

/** Block elements separate words. */
const within = (tag: string, text: string): string => (inWords.has(tag) ? text : ` ${text} `)

/** The text that is read for a rendered value. */
function textOf(shown: unknown): string {
  if (Array.isArray(shown)) return shown.map(textOf).join('')
  return typeof shown === 'string' || typeof shown === 'number' ? String(shown) : ''
}

const toWords = (text: string): string[] =>
  text
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replaceAll('…', '...')
    .replaceAll('—', '---')
    .replaceAll('–', '--')
    .split(/\s+/)
    .filter(Boolean)

const propsSchema = z.looseObject({
  children: z.unknown().default('').transform(textOf),
  alt: z.string().default(''),
  kind: z.string().optional(),
  title: z.string().optional(),
  caption: z.string().default(''),
})
type Component = (props: z.output<typeof propsSchema>) => string

/** The text of the page components, as their files define it. */
const components: Readonly<Record<string, Component>> = {
  Aside: ({ children }) => ` ${children} `,
  Callout: ({ children, kind, title }) => ` ${calloutName({ kind, title })} ${children} `,
  Figure: ({ children, caption }) => ` ${children} ${caption} `,
  LiveExchange: () => ` ${products.card.title}, ${products.card.about} `,
  ProductCard: () => ` ${products.card.title}, ${products.card.about} `,
  Tabs: ({ children }) => ` ${children} `,
}

function jsx(type: unknown, given: unknown): string {
  const props = propsSchema.parse(given)
  const show = Object.values(components).find((component) => component === type)
  return show ? show(props) : within(String(type), props.alt + props.children)
}

/** Titles of code are shown above it. */
const titles = defineMdastPlugin({
  name: 'titles',
  code(node, context) {
    const { title } = readCodeMeta(node.meta, node.value)
    if (title) context.insertBefore(node, { type: 'paragraph', children: [{ type: 'text', value: title }] })
  },
})

/** The words of a page: parsed with the syntax of pages, and run as a program. */
function wordsOfPage(source: string): string[] {
  const page = evaluate(withFormulas(source), {
    Fragment: 'span',
    jsx,
    jsxs: jsx,
    features,
    mdastPlugins: [captions, titles],
  })
  if (page instanceof Promise || typeof page['default'] !== 'function') throw new Error('no page')
  return toWords(textOf(page['default']({ components })))
}

function textOfNode(node: HastNode): string {
  if (node.type === 'text') return node.value
  const text = 'children' in node ? node.children.map(textOfNode).join('') : ''
  return node.type === 'element' ? within(node.tagName, String(node.properties['alt'] ?? '') + text) : text
}

/** The words of the markdown for any other reader. */
const wordsOfMarkdown = (markdown: string): string[] =>
  toWords(
    textOfNode(htmlToHast(markdownToHtml(markdown, { features, mdastPlugins: [titles] }).html, { fragment: true })),
  )

/** Replaces each ω by a unique word, and each κ by a unique word of code. */
function numbered(source: string): string {
  let count = 0
  return source.replace(/[ωκ]/g, (sign) => `${sign === 'ω' ? 'w' : 'c'}${++count}q`)
}

const inline = fc
  .array(
    fc.constantFrom(
      ...[
        'ω',
        'ω',
        '*ω*',
        '**ω *ω* ω**',
        '_ω_',
        '~~ω~~',
        '`ω`',
        '`{ω}`',
        '``ω ` ω``',
        '[ω *ω*](/a_(b) "t")',
        '[ω][ref]',
      ],
      ...[
        '![ω `ω`](/i.png)',
        '![][none]',
        'https://x.test/ω',
        'snake_ω_case',
        '\\*ω\\*',
        '\\{ω\\}',
        '\\<ω>',
        'ω\\_ω',
        'ω &lt; ω',
      ],
      ...[
        '$κ + κ$',
        '$$κ_{κ}$$',
        'ω&frac12;ω',
        '&#x41;ω',
        '&amp;lt;ω',
        '$5 ω $6',
        '"ω" -- ω...',
        "ω's",
        'ω[^note]',
        '{3 + 4}',
        "{'ω *ω* <ω>'}",
        `{\`ω \${1 + 1}\`}`,
      ],
      ...[
        '{/* ω */}',
        '{known}',
        '{record.of[1]}',
        'ω{" "}ω',
        '{known === 2 ? "ω" : \'ω\'}',
        '{null}',
        '{-5}',
        '{[1, "ω"]}',
        "{'&amp; 1. # _ω_'}",
      ],
      ...['<b>ω</b>', 'ω<b>ω{known}</b>', '<span title="ω">*ω*</span>', 'ω<br/>ω', '<img src="/i.png" />'],
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => `ω ${parts.join(' ')}`)

const paragraph = fc
  .array(inline, { minLength: 1, maxLength: 3 })
  .chain((lines) => fc.constantFrom('\n', '  \n', '\\\n', '<br/>', '\n    ').map((end) => lines.join(end)))

const indent = (text: string, margin: string): string => text.replace(/\n(?=[^\n])/g, `\n${margin}`)
const quoted = (text: string): string => text.replace(/^/gm, '> ').replace(/ +$/gm, (end) => (end === ' ' ? '' : end))

const { blocks } = fc.letrec<{ block: string; blocks: string }>((tie) => {
  const below = tie('blocks')
  const around = (before: string, after: string) => below.map((inner) => `${before}\n\n${inner}\n\n${after}`)
  return {
    block: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      paragraph,
      inline.map((line) => `## ${line}`),
      inline.map((line) => `${line}\n===`),
      // A page writes no space between two expressions in a component, so a paragraph separates them here.
      fc.constantFrom(
        '***',
        '![ω `ω`](/i.png "ω *ω*")',
        '```ts title="κ"\nκ {κ} <b>κ\n\n\n  κ\n```',
        '~~~\nκ\n```\nκ\n~~~',
        '$$\nκ + \\sqrt{κ}\n$$',
        '{6 * 7}\n\nω',
        "{'ω ω'}\n\nω",
        '{/* ω */}',
      ),
      fc.constantFrom(
        '<ProductCard\n  slug="card"\n/>',
        '<LiveExchange slug="card" />',
        '<p>ω *ω*</p>',
        '<table><tr><td>ω</td><td>{1}</td></tr></table>',
      ),
      fc
        .tuple(inline, inline)
        .map(([one, other]) => `| One | Two |\n| :-- | --- |\n| ${one} | ω \\| ω |\n| | ${other} |`),
      fc
        .array(below, { minLength: 1, maxLength: 3 })
        .map((items) => items.map((item) => `- ${indent(item, '  ')}`).join('\n')),
      fc
        .array(below, { minLength: 1, maxLength: 3 })
        .map((items) => items.map((item) => `7. ${indent(item, '   ')}`).join('\n\n')),
      paragraph.map((text) => `- [x] ${indent(text, '  ')}`),
      below.map(quoted),
      around('<Aside>', '</Aside>'),
      around('<div>', '</div>'),
      around(`<Callout\n  kind="warning"\n  title={\`ω "\${known}"\`}\n>`, '</Callout>'),
      around('<Tabs>', '</Tabs>'),
      around('<Figure caption="ω &amp; ω *ω*">', '</Figure>'),
      below.map((inner) => `<Callout>\n  ${indent(inner, '  ')}\n</Callout>`),
    ),
    blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((list) => list.join('\n\n')),
  }
})

const post = fc
  .array(blocks, { minLength: 1, maxLength: 3 })
  .map((parts) =>
    numbered(
      [
        '---\ntitle: ω\n---',
        "export const known = 2\nexport const record = { of: [1, known + 'ω'] }",
        ...parts,
        '[ref]: /ω\n[none]: /i.png',
        '[^note]: ω *ω* {known}',
      ].join('\n\n'),
    ),
  )

/** The numbered words, which are in every form of the text. */
const unique = (words: readonly string[], kind: string): string[] =>
  words.join(' ').match(new RegExp(`(?<![A-Za-z0-9])${kind}\\d+q(?![A-Za-z0-9])`, 'g')) ?? []

describe('a post', () => {
  it(
    'has the same words on its page, in markdown, in search and in narration, whatever it contains',
    () => {
      fc.assert(
        fc.property(post, (source) => {
          // A source that the page parser refuses becomes no page.
          fc.pre(!('sentence' in parseWriting(source)))
          const page = wordsOfPage(source)
          const writing = readWriting(source, products)
          expect(wordsOfMarkdown(toMarkdown(writing))).toEqual(page)
          expect(unique(toWords(toPlainText(writing)), '[wc]')).toEqual(unique(page, '[wc]'))
          const said = toSpokenUnits(writing).map(({ spoken }) => spoken)
          expect(unique(said, 'w')).toEqual(unique(page, 'w'))
        }),
        { numRuns: figure(150, 10_000), ...seed },
      )
    },
    limitMs(300_000, 600_000),
  )
})
