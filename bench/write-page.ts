import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { areas } from './all-rows.ts'
import { toAreaChart } from './area-chart.ts'
import { type History, type Run, readHistory, toHistoryText, withRun } from './history.ts'
import { keepSection } from './kept-section.ts'
import { toPerformancePage } from './performance-page.ts'

const historyFile = (root: string): string => join(root, 'bench/history.json')

/** Puts one run of one row into the history and writes the page anew; all other rows stay as they are. */
export function keepRun(root: string, name: string, run: Run): void {
  const file = historyFile(root)
  const history = withRun(readHistory(readFileSync(file, 'utf8')), name, run)
  writeFileSync(file, toHistoryText(history))
  writePage(root, history)
}

/** Writes `docs/performance.md` and its charts from the history. The section of the soak test is kept. */
export function writePage(root: string, history: History = readHistory(readFileSync(historyFile(root), 'utf8'))): void {
  const page = join(root, 'docs/performance.md')
  writeFileSync(page, keepSection(readFileSync(page, 'utf8'), toPerformancePage(areas, history), 'soak'))
  const charts = join(root, 'docs/performance')
  rmSync(charts, { recursive: true, force: true })
  mkdirSync(charts)
  for (const area of areas) {
    const chart = toAreaChart(area, history)
    if (chart) writeFileSync(join(charts, `${area.name}.svg`), chart)
  }
}
