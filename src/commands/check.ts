// `npm run check`: format, lint, types, imports, folders, unused code, NOTICE. Each check prints its output only when
// it finds something.
import { existsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { areLayersKept } from './architecture.ts'
import { isNoticeCurrent } from './notices.ts'
import { runTool } from './run-tool.ts'

type Check = () => boolean | Promise<boolean>

const tool =
  (script: string, ...args: readonly string[]): Check =>
  () =>
    runTool(script, args)

type Lane = readonly (readonly [what: string, run: Check])[]

/** The types of `content/`, which Astro writes when it builds. */
const contentTypes = fileURLToPath(new URL('../../.astro/types.d.ts', import.meta.url))

/** The typed checks run in parallel with the others. */
const toLanes = (isBuilt: boolean): readonly [typed: Lane, others: Lane] => [
  [
    [
      'types of pages',
      () =>
        runTool('astro/bin/astro.mjs', [
          ...['check', '--tsconfig', 'tsconfig.pages.json'],
          ...['--minimumFailingSeverity', 'warning', '--minimumSeverity', 'warning'],
          // Without it, Astro reads all content again to write the types.
          ...(isBuilt && existsSync(contentTypes) ? ['--noSync'] : []),
        ]),
    ],
    [
      'types, promises and exhaustive switches',
      () =>
        runTool('oxlint/bin/oxlint', ['--type-aware', '--type-check', '--deny-warnings'], {
          // It uses all its memory (4.3 GB) until the end: garbage collection freed a tenth and took half of the time.
          env: { GOGC: 'off', GOMEMLIMIT: `${Math.max(4 * 2 ** 30, Math.floor(totalmem() / 2))}B` },
        }),
    ],
  ],
  [
    ['format and lint', tool('@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.')],
    [
      'imports',
      tool(
        'dependency-cruiser/bin/dependency-cruiser.mjs',
        ...['--output-type', 'err', 'src', 'functions', 'game-server', 'site.config.ts'],
      ),
    ],
    ['folders', areLayersKept],
    ['unused code', tool('knip/bin/knip.js')],
    ['notices', isNoticeCurrent],
  ],
]

/**
 * Runs every check; resolves to whether all passed. The typed checks begin after `building`, because it writes to the
 * same `.astro/`.
 */
export async function check(building?: Promise<unknown>): Promise<boolean> {
  let passed = true
  const runLane = async (lane: Lane): Promise<void> => {
    for (const [what, run] of lane) {
      const from = performance.now()
      const ok = await run()
      console.log(`check: ${what} ${ok ? 'ok' : 'FAILED'} (${((performance.now() - from) / 1000).toFixed(1)} s)`)
      passed &&= ok
    }
  }
  const [typed, others] = toLanes(building !== undefined)
  await Promise.all([Promise.resolve(building).then(() => runLane(typed)), runLane(others)])
  return passed
}

if (import.meta.main && !(await check())) process.exit(1)
