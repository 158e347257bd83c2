import { describe, expect, it } from 'vitest'
import { kindsAtStart } from '../../src/content/kinds-at-start.ts'
import { parseMarkdown } from '../../src/content/writing-tree.ts'

const paragraph = `${'Words of a text. '.repeat(40)}\n\n`
const kindsOf = (text: string): Set<string> => kindsAtStart(parseMarkdown(text))

describe('what a first screen of a text may show', () => {
  it('has what its first paragraphs have, to the last of their words', () => {
    expect(kindsOf(`${paragraph}Then *this* and \`that\`.`)).toContain('emphasis')
    expect(kindsOf(`${paragraph}Then *this* and \`that\`.`)).toContain('inlineCode')
    expect(kindsOf(`> A list\n>\n> - with \`code\`\n`)).toContain('inlineCode')
  })

  it('has nothing of what stands below it', () => {
    const kinds = kindsOf(`${paragraph.repeat(3)}Then *this*.\n\n\`\`\`ts\ncode\n\`\`\`\n`)
    expect([...kinds].toSorted()).toEqual(['paragraph', 'text'])
  })

  it('is nothing where there is no text', () => {
    expect(kindsOf('')).toEqual(new Set())
  })
})
