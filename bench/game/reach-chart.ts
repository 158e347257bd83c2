import { chartStyle } from './chart-style.ts'
import type { Summary } from './summarize-lives.ts'

const left = 52
const top = 56
const plotWidth = 520
const plotHeight = 260
const total = { width: 700, height: 372 }

/** An SVG with the share of lives that reach each depth, one line for each bot. */
export function toReachChart(summaries: readonly Summary[]): string {
  const x = (depth: number) => left + ((depth - 1) * plotWidth) / 11
  const y = (share: number) => top + plotHeight * (1 - share)
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<path class="rule" d="M${left} ${y(share)}h${plotWidth}"/>` +
      `<text class="figure" x="${left - 8}" y="${y(share) + 4}" text-anchor="end">${share * 100} %</text>`,
  )
  const depths = Array.from(
    { length: 12 },
    (_, n) =>
      `<text class="figure" x="${x(n + 1).toFixed(1)}" y="${top + plotHeight + 20}" text-anchor="middle">${n + 1}</text>`,
  )
  const lines = summaries.map(({ bot, reached, wins, lives }, index) => {
    const points = reached.map((share, n) => `${x(n + 1).toFixed(1)},${y(share).toFixed(1)}`).join(' ')
    // Labels each line where its share falls below one half, so that labels do not overlap.
    const labelAt = reached.findIndex((share) => share < 0.5)
    const at = labelAt < 0 ? 11 : labelAt
    const label = `${bot}, ${wins} of ${lives} got out`
    return (
      `<polyline class="line line-${index}" points="${points}"/>` +
      `<text class="name name-${index}" x="${(x(at + 1) + 8).toFixed(1)}" y="${(y(reached[at] ?? 0) - 8).toFixed(1)}">${label}</text>`
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total.width} ${total.height}" role="img" aria-labelledby="title">
<title id="title">Share of lives that reach each depth, by bot</title>
<style>${chartStyle}</style>
<rect class="paper" width="${total.width}" height="${total.height}"/>
<text class="heading" x="${left}" y="28">Share of lives that reach a depth</text>
${[...grid, ...depths, ...lines].join('\n')}
<text class="figure" x="${left + plotWidth / 2}" y="${top + plotHeight + 42}" text-anchor="middle">depth</text>
</svg>
`
}
