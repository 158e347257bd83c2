import { describe, expect, it } from 'vitest'
import { kindsAtStart } from '../../src/content/kinds-at-start.ts'
import { parseMarkdown } from '../../src/content/writing-tree.ts'

const paragraph = `${'Words of a text. '.repeat(40)}\n\n`
const kindsOf = (text: string): Set<string> => kindsAtStart(parseMarkdown(text))

describe('the kinds of characters in the first screen of a text', () => {
  it('include those of its first paragraphs, to the last word', () => {
    expect(kindsOf(`${paragraph}Then *this* and \`that\`.`)).toContain('emphasis')
    expect(kindsOf(`${paragraph}Then *this* and \`that\`.`)).toContain('inlineCode')
    expect(kindsOf(`> A list\n>\n> - with \`code\`\n`)).toContain('inlineCode')
  })

  it('exclude those further down', () => {
    const kinds = kindsOf(`${paragraph.repeat(3)}Then *this*.\n\n\`\`\`ts\ncode\n\`\`\`\n`)
    expect([...kinds].toSorted()).toEqual(['paragraph', 'text'])
  })

  it('are none for an empty text', () => {
    expect(kindsOf('')).toEqual(new Set())
  })
})
