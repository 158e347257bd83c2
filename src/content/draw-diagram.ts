import { renderSvg } from 'nomnoml'

/** The language of the blocks of code that are drawn as diagrams. */
export const diagramLanguage = 'nomnoml'

/** Ink of the text around it; what is said last holds. */
const look = ['stroke: currentColor', 'fill: transparent', 'background: transparent', 'lineWidth: 1.5', 'font: serif']

/**
 * A diagram as SVG in the colours of the text around it. Its layout needs no browser, and it has attributes alone: no
 * styles, which the pages' policy forbids.
 *
 * @throws Error when it is no diagram
 */
export function drawDiagram(code: string): string {
  const svg = renderSvg([code, ...look.map((line) => `#${line}`)].join('\n'))
  return svg
    .replace(/<(desc|title)\b[^>]*>[\s\S]*?<\/\1>/g, '')
    .replace(/ (?:data-[\w-]+|xmlns:\w+|version|baseProfile|font|text-align)="[^"]*"/g, '')
    .replace(/\s*\n\s*/g, '')
}

/** What is wrong with a diagram, and in which line of it, from 0; the sentence goes on after file and line. */
export function findDiagramFault(
  code: string,
  title: string | undefined,
): { line: number; sentence: string } | undefined {
  if (title === undefined)
    return { line: 0, sentence: `a diagram needs a title: \`\`\`${diagramLanguage} title="What it shows"` }
  try {
    drawDiagram(code)
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [, place = '', line = '1'] = /( at line (\d+) column \d+)/.exec(message) ?? []
    // What does not close is missed at the end, which is below the diagram.
    const last = Math.min(Number(line), code.split('\n').length)
    return {
      line: last,
      sentence: `the diagram cannot be read: ${message.replace(place, '').replace(/\s+/g, ' ').trim()}`,
    }
  }
}
