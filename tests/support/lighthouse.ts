import { spawnSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Page } from 'playwright'
import { z } from 'zod'
import { installLocked } from './fetch-packages.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const source = join(root, 'src/setup/lighthouse')
const home = join(root, '.runtime-lighthouse')
const entry = join(home, 'node_modules/lighthouse/core/index.js')
const inPages = join(home, 'node_modules/lighthouse/core/lib/page-functions.js')

/**
 * Lighthouse slows the processor down four times, which turns a desktop machine with a benchmark index of 1,500 to
 * 2,000 into a telephone. A slower machine needs less slowdown (docs/throttling.md of Lighthouse, "Calibrating the CPU
 * slowdown"): at a third of that speed, four times would be a device below the slowest telephone of its table.
 */
const desktop = { index: 1500, slowdown: 4 }

export type Category = 'performance' | 'accessibility' | 'best-practices' | 'seo'

const answer = z.object({
  lhr: z.object({
    categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
    audits: z.record(
      z.string(),
      z.object({ score: z.number().nullable(), title: z.string(), numericValue: z.number().optional() }),
    ),
  }),
})
const benchmark = z.object({
  pageFunctions: z.object({
    computeBenchmarkIndex: z.custom<() => number>((value) => typeof value === 'function'),
  }),
})
const module = z.object({
  default: z.custom<(url: string, flags: object) => Promise<unknown>>((value) => typeof value === 'function'),
})

/** Installs Lighthouse, which is larger than everything else here together, if it is missing. */
export function fetchLighthouse(): void {
  if (existsSync(entry)) return
  console.log('setup: fetching Lighthouse from the npm registry')
  cpSync(source, home, { recursive: true })
  const npm = spawnSync('npm', installLocked, { cwd: home, encoding: 'utf8' })
  if (npm.status !== 0) throw new Error(`Lighthouse could not be fetched: ${npm.stderr}`)
}

/** The current speed of the processor as Lighthouse's benchmark index, measured in a page without slowdown. */
export async function readBenchmarkIndex(page: Page): Promise<number> {
  const { pageFunctions } = benchmark.parse(await import(pathToFileURL(inPages).href))
  return page.evaluate(pageFunctions.computeBenchmarkIndex)
}

/** The factor that slows a processor with this index down to that of the telephone. */
export const slowdownFor = (benchmarkIndex: number): number =>
  Math.min(desktop.slowdown, Math.max(1, (desktop.slowdown * benchmarkIndex) / desktop.index))

/**
 * The scores of a page out of 100, the titles of audits that lost points, and the largest contentful paint that
 * Lighthouse calculates for the telephone (ms), in the browser that listens on a port.
 */
export async function measurePage(url: string, port: number, categories: readonly Category[], cpuSlowdown: number) {
  const { default: lighthouse } = module.parse(await import(pathToFileURL(entry).href))
  const flags = {
    ...{ port, onlyCategories: categories, logLevel: 'error', output: 'json', disableStorageReset: false },
    throttling: { cpuSlowdownMultiplier: cpuSlowdown },
  }
  const { lhr } = answer.parse(await lighthouse(url, flags))
  return {
    scores: Object.fromEntries(
      Object.entries(lhr.categories).map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)]),
    ),
    lost: Object.values(lhr.audits).flatMap(({ score, title }) => (score !== null && score < 0.9 ? [title] : [])),
    largestPaintMs: lhr.audits['largest-contentful-paint']?.numericValue,
  }
}
