import { spawnSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'

const root = fileURLToPath(new URL('../../', import.meta.url))
const source = join(root, 'src/setup/lighthouse')
const home = join(root, '.runtime-lighthouse')
const entry = join(home, 'node_modules/lighthouse/core/index.js')

export type Category = 'performance' | 'accessibility' | 'best-practices' | 'seo'

const answer = z.object({
  lhr: z.object({
    categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
    audits: z.record(z.string(), z.object({ score: z.number().nullable(), title: z.string() })),
  }),
})
const module = z.object({
  default: z.custom<(url: string, flags: object) => Promise<unknown>>((value) => typeof value === 'function'),
})

/** Fetches Lighthouse, which is larger than everything else here together, when it is not there yet. */
export function fetchLighthouse(): void {
  if (existsSync(entry)) return
  console.log('setup: fetching Lighthouse from the npm registry')
  cpSync(source, home, { recursive: true })
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: home, encoding: 'utf8' })
  if (npm.status !== 0) throw new Error(`Lighthouse could not be fetched: ${npm.stderr}`)
}

/** The scores of a page out of 100, and the titles of what cost points, in the browser that listens on a port. */
export async function measurePage(url: string, port: number, categories: readonly Category[]) {
  const { default: lighthouse } = module.parse(await import(pathToFileURL(entry).href))
  const flags = { port, onlyCategories: categories, logLevel: 'error', output: 'json', disableStorageReset: false }
  const { lhr } = answer.parse(await lighthouse(url, flags))
  return {
    scores: Object.fromEntries(
      Object.entries(lhr.categories).map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)]),
    ),
    lost: Object.values(lhr.audits).flatMap(({ score, title }) => (score !== null && score < 0.9 ? [title] : [])),
  }
}
