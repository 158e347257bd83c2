import type { SpokenUnit } from '../../src/narration/plan/plan-narration.ts'
import { toPlainWords } from '../../src/narration/speech/plain-words.ts'
import { readBlocks, type TextBlock } from './read-blocks.ts'

/** What a buyer wants to hear: a text, or blocks when there is none. */
export interface NarrateInput {
  readonly text?: string | undefined
  readonly blocks?: readonly Record<string, unknown>[] | undefined
}

const item = /^[ \t]*(?:[-*+•‣–]|\d{1,3}[.)])[ \t]+/
const heading = /^[ \t]*#{1,6}[ \t]+/
const link = /!?\[([^\]\n]{1,200})\]\((?:https?:\/\/|mailto:|[/#])[^()\s]{0,2000}\)/g
const emphasis = /(?<![\p{L}\p{N}*])(\*{1,3})(?=[^\s*])([^*\n]{1,400})(?<=[^\s*])\1(?![\p{L}\p{N}*])/gu

/**
 * Joins the lines of a paragraph. Removes simple markdown marks, which plain text often has and nobody wants to hear.
 */
function readText(text: string): TextBlock[] {
  const blocks: { text: string; kind: TextBlock['kind'] }[] = []
  let isOpen = false
  for (const line of text
    .replace(link, '$1')
    .replace(emphasis, '$2')
    .split(/\r\n|[\r\n\u2028\u2029]/)) {
    const kind = heading.test(line) ? 'heading' : item.test(line) ? 'item' : 'paragraph'
    const words = line.replace(kind === 'heading' ? heading : item, '').trim()
    const last = blocks.at(-1)
    if (words === '') isOpen = false
    else if (isOpen && last && kind === 'paragraph' && last.kind !== 'heading') last.text += `\n${words}`
    else blocks.push({ text: words, kind })
    if (words !== '') isOpen = true
  }
  return blocks
}

/** The units that are spoken with pauses between them: paragraphs, headings (which begin chapters) and list items. */
export function toUnits({ text, blocks = [] }: NarrateInput): SpokenUnit[] {
  const read = text === undefined ? readBlocks(blocks) : readText(text)
  return read.flatMap(({ text: written, kind }, index): SpokenUnit[] => {
    const words = toPlainWords(written).trim()
    if (words === '') return []
    const isTight = kind === 'item' && read[index + 1]?.kind === 'item'
    return [{ text: words, spoken: words, ...(kind === 'heading' && { chapter: words }), ...(isTight && { isTight }) }]
  })
}
