import { renderSvg } from 'nomnoml'

/** The language of the blocks of code that are drawn as diagrams. */
export const diagramLanguage = 'nomnoml'

/** Directives that give the diagram the colours of the text around it. They are appended, because the last one wins. */
const look = ['stroke: currentColor', 'fill: transparent', 'background: transparent', 'lineWidth: 1.5', 'font: serif']

/**
 * A diagram as SVG in the colours of the text around it. The layout needs no browser. The SVG has presentation
 * attributes and no styles, which the pages' Content-Security-Policy forbids.
 *
 * @throws Error when the code is not a valid diagram
 */
export function drawDiagram(code: string): string {
  const svg = renderSvg([code, ...look.map((line) => `#${line}`)].join('\n'))
  return svg
    .replace(/<(desc|title)\b[^>]*>[\s\S]*?<\/\1>/g, '')
    .replace(/ (?:data-[\w-]+|xmlns:\w+|version|baseProfile|font|text-align)="[^"]*"/g, '')
    .replace(/\s*\n\s*/g, '')
}

/** What is wrong with a diagram, to be appended to file and line; `line` 0 is the line of the opening fence. */
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
    // An unclosed bracket is reported at the end of the code, which includes the lines appended below the diagram.
    const last = Math.min(Number(line), code.split('\n').length)
    return {
      line: last,
      sentence: `the diagram cannot be read: ${message.replace(place, '').replace(/\s+/g, ' ').trim()}`,
    }
  }
}
