// `npm run check`: format, lint, types, layers, unused code. Each tool is silent unless it finds something.
import { runTool } from './run-tool.ts'

const checks: readonly (readonly [what: string, script: string, args: readonly string[]])[] = [
  ['format and lint', '@biomejs/biome/bin/biome', ['ci', '--error-on-warnings', '.']],
  ['promises and exhaustive switches', 'oxlint/bin/oxlint', ['--type-aware', '--deny-warnings']],
  ['types', 'astro/bin/astro.mjs', ['check', '--minimumFailingSeverity', 'warning', '--minimumSeverity', 'warning']],
  [
    'layers',
    'dependency-cruiser/bin/dependency-cruiser.mjs',
    ['--output-type', 'err', 'src', 'functions', 'site.config.ts'],
  ],
  ['unused code', 'knip/bin/knip.js', []],
]

/** Runs every check, and says at the end whether all passed. */
export async function check(): Promise<boolean> {
  let passed = true
  for (const [what, script, args] of checks) {
    const from = performance.now()
    const ok = await runTool(script, args)
    console.log(`check: ${what} ${ok ? 'ok' : 'FAILED'} (${((performance.now() - from) / 1000).toFixed(1)} s)`)
    passed &&= ok
  }
  return passed
}

if (import.meta.main && !(await check())) process.exit(1)
