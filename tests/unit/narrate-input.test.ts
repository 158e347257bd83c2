import { describe, expect, it } from 'vitest'
import narrateOffer from '../../functions/narrate/offer.ts'
import { toUnits } from '../../functions/narrate/to-units.ts'
import { toPlainWords } from '../../src/narration/speech/plain-words.ts'
import { cpuMsOf } from '../support/cpu-ms.ts'

const span = (text: string, ...marks: string[]) => ({ _type: 'span', text, marks })
const block = (children: object[], more = {}) => ({ _type: 'block', style: 'normal', children, ...more })
const said = (blocks: Record<string, unknown>[]) => toUnits({ blocks }).map(({ spoken }) => spoken)

describe('Portable Text that is read aloud', () => {
  it('joins spans without a space, whatever their marks and links', () => {
    const markDefs = [{ _key: 'l', _type: 'link', href: 'https://example.com/secret' }]
    const children = [span('A '), span('far', 'strong', 'em'), span('thing', 'l'), span(' is small.')]
    expect(said([block(children, { markDefs })])).toEqual(['A farthing is small.'])
  })

  it('reads headings as units that begin chapters', () => {
    expect(toUnits({ blocks: [block([span('One')], { style: 'h2' }), block([span('Words.')])] })).toEqual([
      { text: 'One', spoken: 'One', chapter: 'One' },
      { text: 'Words.', spoken: 'Words.' },
    ])
  })

  it('reads each list item on its own, at every level, with a longer pause after the last', () => {
    const item = (text: string, level = 1) => block([span(text)], { listItem: 'bullet', level })
    expect(toUnits({ blocks: [item('one'), item('two', 2), item('three'), block([span('End.')])] })).toEqual([
      { text: 'one', spoken: 'one', isTight: true },
      { text: 'two', spoken: 'two', isTight: true },
      { text: 'three', spoken: 'three' },
      { text: 'End.', spoken: 'End.' },
    ])
  })

  it('skips unknown types, between blocks and within them', () => {
    const picture = { _type: 'image', alt: 'A coin', asset: {}, text: 'no words' }
    const embed = { _type: 'codeBlock', children: [span('let x = 1')] }
    const note = { _type: 'footnote', text: 'see below' }
    expect(said([picture, block([span('Be'), note, span('fore.')]), embed, block([span('After.')])])).toEqual([
      'Before.',
      'After.',
    ])
  })
})

describe('rich text of other editors that is read aloud', () => {
  const text = (words: string) => ({ type: 'text', text: words })
  const paragraph = (...content: object[]) => ({ type: 'paragraph', content })

  it('reads nested lists of ProseMirror, and skips its code', () => {
    const inner = { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(text('inner'))] }] }
    const outer = { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(text('outer')), inner] }] }
    const code = { type: 'code_block', content: [text('let x = 1')] }
    expect(said([{ type: 'doc', content: [outer, code, paragraph(text('End.'))] }])).toEqual(['outer', 'inner', 'End.'])
  })

  it('reads links of Lexical and Slate within their line', () => {
    const lexical = {
      type: 'paragraph',
      children: [text('See '), { type: 'link', children: [text('this')] }, text('.')],
    }
    const slate = { type: 'heading-one', children: [{ text: 'A ' }, { text: 'title', bold: true }] }
    expect(toUnits({ blocks: [lexical, slate] })).toEqual([
      { text: 'See this.', spoken: 'See this.' },
      { text: 'A title', spoken: 'A title', chapter: 'A title' },
    ])
  })

  it('reads the text of BlockNote, and nested blocks', () => {
    const text = (words: string) => [{ type: 'text', text: words, styles: {} }]
    const units = toUnits({
      blocks: [
        { id: '1', type: 'heading', props: { level: 1 }, content: text('Bread'), children: [] },
        {
          ...{ id: '2', type: 'bulletListItem', props: {}, content: text('Flour') },
          children: [{ id: '3', type: 'bulletListItem', props: {}, content: text('of rye'), children: [] }],
        },
      ],
    })
    expect(units.map((unit) => unit.text)).toEqual(['Bread', 'Flour', 'of rye'])
  })

  it('ends a line at a line break', () => {
    expect(said([paragraph(text('One'), { type: 'hardBreak' }, text('two'))])).toEqual(['One\ntwo'])
  })

  it('is limited to the depth of an article', () => {
    let node: Record<string, unknown> = { text: 'deep' }
    for (let depth = 0; depth < 1000; depth++) node = { children: [node] }
    expect(said([node, { text: 'flat' }])).toEqual(['flat'])
  })
})

describe('plain text that is read aloud', () => {
  it('has pauses at blank lines, headings and items, whose marks are not spoken', () => {
    const text =
      '# A title\nA line\nand its end.\n- one\n- *two*\n\n1. See [this](https://example.com/a_b).\n\n2 * 3 = 6'
    expect(toUnits({ text })).toEqual([
      { text: 'A title', spoken: 'A title', chapter: 'A title' },
      { text: 'A line\nand its end.', spoken: 'A line\nand its end.' },
      { text: 'one', spoken: 'one', isTight: true },
      { text: 'two', spoken: 'two', isTight: true },
      { text: 'See this.', spoken: 'See this.' },
      { text: '2 * 3 = 6', spoken: '2 * 3 = 6' },
    ])
  })

  it('has priority over blocks', () => {
    expect(toUnits({ text: 'Text.', blocks: [block([span('Blocks.')])] })).toEqual([{ text: 'Text.', spoken: 'Text.' }])
  })
})

describe('the length of a text', () => {
  const issues = (input: unknown) => narrateOffer.input.safeParse(input).error?.issues.map(({ path }) => path.join('/'))

  it.each([
    ['letters', 'a'],
    ['coins, which are two code units each', '🪙'],
    ['joiners, which nobody hears', '\u200d'],
  ])('is counted in characters as received: 9,500 %s are accepted and 9,501 refused', (_, sign) => {
    const text = (count: number) => `a${sign.repeat(count - 1)}`
    expect(issues({ text: text(9500) })).toBeUndefined()
    expect(issues({ text: text(9501) })).toEqual(['text'])
    expect(issues({ blocks: [block([span(text(9500))])] })).toBeUndefined()
    expect(issues({ blocks: [block([span(text(9501))])] })).toEqual(['blocks'])
  })
})

describe('marks that could direct a voice', () => {
  it.each([
    ['a pause of MiniMax', 'Wait.<#0.5#>Go.', 'Wait. Go.'],
    ['a pause inside a pause', 'a<#<#0.5#>0.5#>b', 'a # 0.5# b'],
    ['a sound in brackets', 'Well [laughs] then', 'Well , laughs,  then'],
    ['a sound in parentheses', 'Well (clear-throat) then', 'Well , clear-throat,  then'],
    ['SSML', '<speak>One<break time="3s"/>two <prosody rate="x-slow">three</prosody></speak>', ' One two  three  '],
    ['a dialect of SSML', '<mstts:express-as style="angry">No</mstts:express-as>', ' No '],
  ])('are removed or become words: %s', (_, text, plain) => {
    expect(toPlainWords(text)).toBe(plain)
  })

  it('are not confused with similar text: words about tags, and comparisons', () => {
    expect(toPlainWords('The item(s), or class(es)')).toBe('The items, or classes')
    expect(toPlainWords('Use <details> here')).toBe('Use  details  here')
    expect(toPlainWords('1 < 2 and 3 > 2 (in 2019) -> so')).toBe('1 < 2 and 3 > 2 (in 2019) -> so')
  })

  it('are removed completely, however they are nested', () => {
    const pieces = ['<', '#', '>', '0.5', '/', 'break', '[', ']', '(', ')', 'laughs', ' ', '\u200b', 'a:b', '"']
    for (let seed = 1; seed <= 20_000; seed++) {
      const text = Array.from(
        { length: 12 },
        (_, place) => pieces[Math.imul(seed * 31 + place, 0x9e3779b1) >>> 28] ?? '',
      ).join('')
      expect(toPlainWords(text)).not.toMatch(/<[#/!?A-Za-z]|[[\]]|\((?:break|laughs)\)/)
    }
  })

  it('include floods of invisible characters', () => {
    expect(toPlainWords(`a${'\u200b'.repeat(5000)}b${'\u202e'.repeat(9)}c${'!'.repeat(90)}`)).toBe('abc!!!')
    expect(toPlainWords(`e${'\u0335'.repeat(500)}`)).toBe(`e${'\u0335'.repeat(4)}`)
    expect(toPlainWords('क्‍ष 👩‍🚀')).toBe('क्‍ष 👩‍🚀')
  })

  it('are removed in linear time', () => {
    for (const piece of ['<', '<#', '<speak ', '[', '(a', '*a', '[a](', '[a](/', '- ', '\u0301', '# ', '<p x']) {
      const ms = cpuMsOf(() => toUnits({ text: piece.repeat(9500 / piece.length) }))
      expect(ms, piece).toBeLessThan(1000)
    }
  })
})
