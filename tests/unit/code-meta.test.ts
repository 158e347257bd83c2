import { describe, expect, it } from 'vitest'
import { readCodeMeta } from '../../src/content/code-meta.ts'
import { toPlainText } from '../../src/content/to-plain-text.ts'
import { readWriting } from '../../src/content/writing.ts'
import { toSpokenUnits } from '../../src/narration/text/spoken-text.ts'

const four = 'a\nb\nc\nd'

describe('the meta string after the language of a code block', () => {
  it.each([
    ['nothing', null, undefined, {}],
    ['a title', 'title="src/a b.ts"', 'src/a b.ts', {}],
    ['a title that looks like marks', "title='{1}'", '{1}', {}],
    ['lines and ranges', '{1, 3-4}', undefined, { 1: 'mark', 3: 'mark', 4: 'mark' }],
    ['additions and removals', 'title="x" ins={2} del={1,4}', 'x', { 1: 'del', 2: 'ins', 4: 'del' }],
    ['what other sites write there', 'showLineNumbers caption="x"', undefined, {}],
  ])('is parsed: %s', (_, meta, title, marks) => {
    const read = readCodeMeta(meta, four)
    expect([read.title, Object.fromEntries(read.marks), read.fault]).toEqual([title, marks, undefined])
  })

  it.each(['{5}', '{0}', '{3-2}', '{2-99999}', '{a}', '{}', 'ins={1,,2}', '{99999999999}'])(
    'is refused when it marks lines that do not exist: %s',
    (meta) => {
      expect(readCodeMeta(meta, four).fault).toMatch(/^the code has 4 lines, so \{.*\} marks none of them/)
    },
  )

  it('gives search and narration the title once, and no marks', () => {
    const writing = readWriting('```ts title="pay.ts" {1} ins={2}\nawait pay()\nawait rest()\n```')
    expect(toPlainText(writing)).toBe('pay.ts await pay() await rest()')
    expect(toSpokenUnits(writing)).toEqual([
      {
        text: '[Code example in TypeScript: pay.ts]',
        spoken: 'A code example in TypeScript, pay.ts, follows in the text.',
      },
    ])
  })
})
