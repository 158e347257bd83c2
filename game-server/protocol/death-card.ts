import { count } from '../core/epitaph.ts'
import { quoteWords } from '../core/player-words.ts'
import type { Death } from './dungeon.ts'

/** The six characters of each frame: top left, horizontal edge, top right, vertical edge, bottom left, bottom right. */
const frames: Readonly<Record<string, string>> = {
  plain: '┌─┐│└┘',
  frame_gold: '╔═╗║╚╝',
  frame_legend: '◆═◆║◆◆',
  frame_neon: '╭─╮│╰╯',
  frame_void: '▛▀▜▌▙▟',
}
const width = 40

/** A finished life as a box of text in its player's frame, with the path of its page; for a cup, of the cup's page. */
export function toDeathCard({ name, cause, depth, turn, gold, kills, score, hasWon, frame, id, mode }: Death): string {
  const [topLeft, edge, topRight, side, bottomLeft, bottomRight] = frames[frame] ?? frames['plain'] ?? ''
  const line = (text: string) => `${side} ${text.slice(0, width - 4).padEnd(width - 4)} ${side}`
  const rule = (edge ?? '').repeat(width - 2)
  const who = quoteWords(name)
  return [
    `${topLeft}${rule}${topRight}`,
    line(hasWon ? `${who} got out` : `Here lies ${who}`),
    ...toLines(cause).map(line),
    line(`depth ${depth}, turn ${turn}`),
    line(`${gold} gold, ${count(kills, 'kill')}`),
    line(`score ${score}`),
    line(mode === 'cup' ? '/cup' : `/death/${id}`),
    `${bottomLeft}${rule}${bottomRight}`,
  ].join('\n')
}

/** Wraps a text at words. */
function toLines(text: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width - 4) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
