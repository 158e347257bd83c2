import { escapeHtml } from '../src/core/escape-html.ts'
import { chartStyle } from './game/chart-style.ts'

/** How far ahead we are by one measure in one run. */
export interface ChartRun {
  /** Times better; below 1 is worse. */
  readonly middle: number
  readonly low: number
  readonly high: number
}

export interface ChartLine {
  readonly measure: string
  /** The peer or limit it is compared with. */
  readonly beside: string
  readonly text: string
  readonly isBehind: boolean
  /** All runs, the oldest first; the last is drawn large, and all of them as the history. */
  readonly runs: readonly ChartRun[]
  readonly bound?: number
}

export interface ChartGroup {
  readonly title: string
  /** When and how it was measured. */
  readonly about: string
  readonly lines: readonly ChartLine[]
}

const width = 920
const lineHeight = 36
const groupHeight = 40
const plot = { left: 290, width: 300, top: 76 }
const figuresAt = 606
const strip = { left: 806, width: 94, height: 24 }
/** Factors beyond this are cut to it. */
const most = 1000

const style = `${chartStyle}
.spread{stroke:var(--ink);stroke-width:2}.dot{fill:var(--ink)}.behind .spread{stroke:var(--copper)}.behind .dot{fill:var(--copper)}
.even{stroke:var(--grey)}.bound{stroke:var(--ink);stroke-width:1.5}.strip{fill:none;stroke:var(--grey)}.past{fill:var(--grey)}
.title{font-size:14px;font-weight:bold;fill:var(--ink)}.value{font-size:12px;fill:var(--ink)}.behind .value{fill:var(--copper);font-weight:bold}`

const clamp = (times: number): number => (times >= 1 / most ? Math.min(times, most) : 1 / most)

/** Labels of the scale, as many as have room. */
function ticksOf(decades: number): readonly number[] {
  if (decades > 1) return [0.001, 0.01, 0.1, 1, 10, 100, 1000].filter((tick) => Math.abs(Math.log10(tick)) <= decades)
  return [0.1, 0.2, 0.5, 1, 2, 5, 10]
}

const toTickText = (tick: number): string => (tick >= 1 ? `${tick}` : `1/${Math.round(1 / tick)}`)

const text = (kind: string, x: number, y: number, words: string, anchor = 'start'): string =>
  `<text class="${kind}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escapeHtml(words)}</text>`

const path = (kind: string, line: string): string => `<path class="${kind}" d="${line}"/>`

/**
 * An SVG that shows how far ahead we are, on a logarithmic scale where right is better: a dot for the median of the
 * rounds, a line for their spread, a stroke for the goal, and beside it the last runs.
 */
export function toLeadChart(title: string, groups: readonly ChartGroup[]): string {
  const runs = groups.flatMap(({ lines }) => lines.flatMap((line) => line.runs))
  const farthest = Math.max(
    1,
    ...runs.flatMap(({ low, high }) => [low, high].map((of) => Math.abs(Math.log10(clamp(of))))),
  )
  const decades = Math.ceil(farthest)
  const x = (times: number) => plot.left + (plot.width * (Math.log10(clamp(times)) / decades + 1)) / 2
  let y = plot.top
  const drawn = groups.map((group) => {
    const head = text('title', 16, y + 24, group.title) + text('figure', figuresAt, y + 24, group.about)
    y += groupHeight
    const lines = group.lines.map((line) => {
      y += lineHeight
      return drawLine(line, y - lineHeight / 2, x)
    })
    return [head, ...lines].join('\n')
  })
  const height = y + 20
  const grid = ticksOf(decades).map(
    (tick) =>
      path(tick === 1 ? 'even' : 'rule', `M${x(tick).toFixed(1)} ${plot.top}V${height - 16}`) +
      text('figure', x(tick), plot.top - 6, toTickText(tick), 'middle'),
  )
  const behind = groups.flatMap(({ lines }) => lines).filter(({ isBehind }) => isBehind)
  const isSaid = (line: ChartLine) => `${line.measure} beside ${line.beside}: ${line.text}`
  const description = `How many times better we are than others, or than the limit that we set ourselves. ${groups
    .map((group) => `${group.title} (${group.about}): ${group.lines.map(isSaid).join('; ')}.`)
    .join(' ')} ${behind.length === 0 ? 'Behind in none.' : `Behind in ${behind.length}.`}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">
<title id="title">${escapeHtml(title)}</title>
<desc id="description">${escapeHtml(description)}</desc>
<style>${style}</style>
<rect class="paper" width="${width}" height="${height}"/>
${text('heading', 16, 28, title)}
${text('figure', plot.left, 50, '← times worse')}
${text('figure', plot.left + plot.width, 50, 'times better →', 'end')}
${text('figure', figuresAt, 50, 'ratio or figure (spread)')}
${text('figure', strip.left, 50, 'last ten runs')}
${[...grid, ...drawn].join('\n')}
</svg>
`
}

function drawLine(line: ChartLine, middle: number, x: (times: number) => number): string {
  const last = line.runs.at(-1)
  const marks = last
    ? path('spread', `M${x(last.low).toFixed(1)} ${middle}H${x(last.high).toFixed(1)}`) +
      `<circle class="dot" cx="${x(last.middle).toFixed(1)}" cy="${middle}" r="4.5"/>`
    : ''
  const bound =
    line.bound === undefined ? '' : path('bound', `M${x(line.bound).toFixed(1)} ${middle - 10}V${middle + 10}`)
  return `<g${line.isBehind ? ' class="behind"' : ''}>${[
    text('cause', 16, middle - 2, line.measure),
    text('figure', 16, middle + 13, line.beside),
    bound,
    marks,
    text('value', figuresAt, middle + 4, line.text),
    drawStrip(line, middle),
  ].join('')}</g>`
}

/** The last runs, the oldest on the left, scaled to their own range. */
function drawStrip({ runs }: ChartLine, middle: number): string {
  const logs = runs.map((run) => Math.log10(clamp(run.middle)))
  const [least, span] = [Math.min(...logs), Math.max(...logs) - Math.min(...logs)]
  const points = logs.map((log, at) => {
    const right = strip.left + (runs.length > 1 ? (strip.width * at) / (runs.length - 1) : strip.width)
    const up = span > 0 ? (log - least) / span - 0.5 : 0
    return [right.toFixed(1), (middle - up * strip.height).toFixed(1)] as const
  })
  const dots = points.map(([cx, cy], at) => {
    const kind = at === points.length - 1 ? 'dot' : 'past'
    return `<circle class="${kind}" cx="${cx}" cy="${cy}" r="2.5"/>`
  })
  const line = `<polyline class="strip" points="${points.map((point) => point.join(',')).join(' ')}"/>`
  return (points.length > 1 ? line : '') + dots.join('')
}
