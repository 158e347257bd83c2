import { describe, expect, it } from 'vitest'
import { readWriting } from '../../src/content/writing.ts'
import { parseWriting } from '../../src/content/writing-tree.ts'
import { toSpokenUnits } from '../../src/narration/text/spoken-text.ts'
import { cpuMsOf } from '../support/cpu-ms.ts'

const units = (...lines: string[]) => toSpokenUnits(readWriting(lines.join('\n')))
const said = (...lines: string[]) => units(...lines).map(({ spoken }) => spoken)
const shown = (...lines: string[]) => units(...lines).map(({ text }) => text)

describe('a post that is read aloud', () => {
  it('begins with its title, and has its sections as chapters', () => {
    const source = '---\ntitle: x\n---\nIntro.\n\n## First *part*\n\nText.\n\n### Detail\n\nMore.'
    const list = toSpokenUnits(readWriting(source), { title: 'A `title`' })
    expect(list.map(({ text, chapter }) => [text, chapter])).toEqual([
      ['A `title`', 'A `title`'],
      ['Intro.', undefined],
      ['First part', 'First part'],
      ['Text.', undefined],
      ['Detail', undefined],
      ['More.', undefined],
    ])
  })

  it('announces code and diagrams without reading them', () => {
    expect(said('```ts', 'const secret = 1', '# no heading', '```', '', 'After.', '', '~~~', 'x', '~~~')).toEqual([
      'A code example in TypeScript follows in the text.',
      'After.',
      'A code example follows in the text.',
    ])
    expect(said('```nomnoml title="Who pays"', '[a]', '```')).toEqual(['A diagram, Who pays, follows in the text.'])
  })

  it('reads links by their text, images by their description, and no markup', () => {
    expect(
      said('See [the **docs**](https://x.test/a_(b) "t") and _this_ snake_case[^1] ~~old~~.', '', '[^1]: A note.'),
    ).toEqual(['See the docs and this snake_case old.', 'Footnote: A note.'])
    expect(said('![A cat on a `mat`](cat.png)')).toEqual(['Image: A cat on a mat.'])
    expect(said('![](decoration.png)')).toEqual([])
    expect(said('A \\*star\\* &amp; a [ref][1].', '', '[1]: https://x.test')).toEqual(['A *star* & a ref.'])
  })

  it('reads inline code that contains words, and describes other code', () => {
    expect(said('Call `send()` or `([{}])=>!!/\\\\d+$/.x|y^z&&` today.')).toEqual([
      'Call send() or a piece of code today.',
    ])
    expect(shown('Call `a*b*c`.')).toEqual(['Call a*b*c.'])
  })

  it('reads a small table by row and describes a large one', () => {
    const table = ['| pages | price |', '|---|--:|', '| 1 | $0.06 |', '| 5 | $0.10 |']
    expect(said(...table)).toEqual(['A table of 2 rows: pages and price.', '1; price: $0.06.', '5; price: $0.10.'])
    expect(shown(...table)).toEqual(['[A table of 2 rows: pages and price]', '1 · $0.06', '5 · $0.10'])
    const rows = Array.from({ length: 12 }, (_, row) => `| ${row} | x |`)
    expect(said('| a | b |', '|--|--|', ...rows)).toEqual(['A table of 12 rows is in the text: a and b.'])
  })

  it('reads lists item by item, numbered ones with their numbers', () => {
    const list = units('1. First', '2. Second', '   goes on', '- [x] done', '', 'End.')
    expect(list.map(({ spoken }) => spoken)).toEqual(['1: First', '2: Second goes on', 'done', 'End.'])
    expect(list.map(({ isTight }) => isTight ?? false)).toEqual([true, true, false, false])
  })

  it('reads footnotes last', () => {
    expect(said('Fact.[^n]', '', '[^n]: The *source*.', '', 'End.')).toEqual(['Fact.', 'End.', 'Footnote: The source.'])
  })

  it('reads short formulas, and leaves prices unchanged', () => {
    expect(said('So $x^2 \\leq \\frac{a}{b}$ holds.')).toEqual(['So x squared is at most a over b holds.'])
    expect(said('From $5 to $10, or $0.05 and $1.')).toEqual(['From $5 to $10, or $0.05 and $1.'])
    expect(said('$$', 'E = mc^2', '$$')).toEqual(['E equals mc squared.'])
    expect(said('$$\\begin{matrix}1&2\\\\3&4\\end{matrix}$$')).toEqual(['a formula, which is in the text.'])
  })

  it('reads the text in quotes and components, but not their code', () => {
    expect(
      said(
        "import A from './a.astro'",
        '',
        '<Aside kind="x">',
        '',
        'Inside.',
        '',
        '</Aside>',
        '',
        '> Quoted',
        '> words.',
        '',
        '{1 + 1}',
      ),
    ).toEqual(['Inside.', 'Quoted words.', '2'])
  })

  it('terminates on any input, quickly', () => {
    for (const hostile of [
      '[',
      '![',
      '`',
      '$',
      '<',
      '*',
      '_',
      '\\',
      '|',
      '> ',
      '- ',
      '#',
      '&#',
      '[^',
      '$a ',
      '`a',
      '[a](',
      '<!--',
      '[[a]',
    ])
      for (const text of [hostile.repeat(400), `${hostile}\n`.repeat(2000)]) {
        const spoken = () => {
          if (!('sentence' in parseWriting(text))) expect(Array.isArray(toSpokenUnits(readWriting(text)))).toBe(true)
        }
        expect(cpuMsOf(spoken), JSON.stringify(hostile)).toBeLessThan(2000)
      }
  })
})
