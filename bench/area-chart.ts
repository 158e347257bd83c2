import type { Area } from './all-rows.ts'
import type { History } from './history.ts'
import { judge } from './judge.ts'
import { type ChartGroup, toLeadChart } from './lead-chart.ts'
import { toFigureText, toRatioText } from './number-text.ts'
import { isBusy, linesOf, toSpreadText } from './run-lines.ts'

/** The chart of an area as SVG; undefined when none of its figures has a peer or a limit. */
export function toAreaChart({ title, rows }: Area, history: History): string | undefined {
  const groups = Object.entries(rows).flatMap(([name, row]): ChartGroup[] => {
    const runs = history[name] ?? []
    const run = runs.at(-1)
    if (!run) return []
    const lines = linesOf(row, run).flatMap((line) => {
      const { measure, figure } = line
      const { lead, isBehind, bounds } = judge(row, measure, figure)
      if (!lead) return []
      const its = runs.flatMap(({ figures }) => {
        const then = figures.find((other) => other.measure === figure.measure && other.peer === figure.peer)
        return (then && judge(row, measure, then).lead) ?? []
      })
      const shown =
        figure.ratio === undefined
          ? `${toFigureText(figure.ours, measure.digits)} ${measure.unit}`.trim()
          : toRatioText(figure.ratio)
      const verdict = bounds.some(({ isMet }) => !isMet) ? ', missed' : ''
      const said = `${shown} (${toSpreadText(line)})${verdict}`
      const bound = lead.bound === undefined ? {} : { bound: lead.bound }
      return [{ measure: measure.name, beside: lead.beside, text: said, isBehind, runs: its, ...bound }]
    })
    const about = `${run.date}${isBusy(run) ? ', busy machine' : ''}`
    return lines.length > 0 ? [{ title: row.title, about, lines }] : []
  })
  return groups.length > 0 ? toLeadChart(`${title}: how far ahead`, groups) : undefined
}
