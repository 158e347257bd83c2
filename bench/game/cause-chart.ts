import { chartStyle } from './chart-style.ts'
import type { Summary } from './summarize-lives.ts'

const shown = 10
const rowHeight = 21
const panelTop = 64
const labelWidth = 190
const barWidth = 330
const panelHeight = 34 + shown * rowHeight + 18
/** The share at which bars have their full width. */
const full = 0.45

/** An SVG with the causes of death, one panel for each bot, with a line for the largest allowed share. */
export function toCauseChart(summaries: readonly Summary[], limits: Readonly<Record<string, number>>): string {
  const width = 700
  const height = panelTop + summaries.length * panelHeight
  const panels = summaries.map(({ bot, causes }, index) => {
    const top = panelTop + index * panelHeight
    const left = 24 + labelWidth
    const limit = left + ((limits[bot] ?? 0) / full) * barWidth
    const bars = causes.slice(0, shown).map(({ cause, share }, row) => {
      const y = top + 12 + row * rowHeight
      const long = (Math.min(share, full) / full) * barWidth
      return (
        `<text class="cause" x="${left - 8}" y="${y + 12}" text-anchor="end">${cause.replace('killed by ', '')}</text>` +
        `<rect class="bar bar-${index}" x="${left}" y="${y}" width="${long.toFixed(1)}" height="15"/>` +
        `<text class="figure" x="${(left + long + 6).toFixed(1)}" y="${y + 12}">${(share * 100).toFixed(1)} %</text>`
      )
    })
    return (
      `<text class="name name-${index}" x="24" y="${top}">${bot}</text>` +
      `<path class="limit" d="M${limit.toFixed(1)} ${top - 4}v${shown * rowHeight + 20}"/>` +
      `<text class="figure" x="${(limit + 6).toFixed(1)}" y="${top + 6}">at most ${(limits[bot] ?? 0) * 100} %</text>` +
      bars.join('\n')
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">The commonest causes of death, by bot</title>
<style>${chartStyle}</style>
<rect class="paper" width="${width}" height="${height}"/>
<text class="heading" x="24" y="28">What they die of</text>
${panels.join('\n')}
</svg>
`
}
