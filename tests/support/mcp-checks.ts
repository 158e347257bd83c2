import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { fetchPackages } from './fetch-packages.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const home = join(root, '.runtime-mcp-checks')
const inModules = (path: string): string => join(home, 'node_modules', path)
const launcher = '@modelcontextprotocol/inspector/clients/launcher/build/index.js'
const inspector = inModules(launcher)
const run = promisify(execFile)

/** Installs the conformance suites and the inspector of MCP if they are missing. */
export const fetchMcpChecks = (): void => void fetchPackages('mcp-checks', launcher)

const checksSchema = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().default('') }))

/** One scenario of a suite, with the checks that failed and why. */
export interface Scenario {
  readonly name: string
  readonly failures: readonly { readonly id: string; readonly why: string }[]
}

/** Runs a conformance suite against a server, whether it passes or not. */
export async function runConformance(suite: '2025' | '2026', options: string[], url: string): Promise<Scenario[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'))
  const program = inModules(`conformance-${suite}/dist/index.js`)
  const args = [program, 'server', '--url', url, '-o', folder, ...options]
  // The exit code says that something failed; the caller decides which failures are expected.
  await run(process.execPath, args, { maxBuffer: 2 ** 26, timeout: 120_000 }).catch(() => undefined)
  const scenarios = readdirSync(folder).map((entry) => {
    const checks = checksSchema.parse(JSON.parse(readFileSync(join(folder, entry, 'checks.json'), 'utf8')))
    return {
      name: entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, ''),
      failures: checks
        .filter(({ status }) => status === 'FAILURE')
        .map(({ id, errorMessage }) => ({ id, why: errorMessage })),
    }
  })
  rmSync(folder, { recursive: true })
  return scenarios
}

/** The output of the inspector for a method. */
export async function inspect(url: string, ...args: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [inspector, '--cli', url, '--transport', 'http', ...args])
  return JSON.parse(stdout)
}

/** Why a check cannot pass, and a pattern of its failure messages. */
export interface Reason {
  readonly why: string
  readonly failure: RegExp
}

/** Checks that no server with tools of its own passes. */
export const reasonsAnywhere: readonly Reason[] = [
  {
    why: 'the suite tests tools of its own, which nobody else has',
    failure: /[Tt]ool '?\w*test_\w+'? not found|json_schema_2020_12_tool/,
  },
  { why: 'a check needs a tool of the suite’s to say anything', failure: /^Not testable: server/ },
  {
    why: 'a check continues with the answer of a tool of the suite’s',
    failure: /^Prerequisite failed|^Expected InputRequiredResult/,
  },
]

/** Failures without a known reason, except scenarios of an extension that is not supported here (tasks). */
export const findUnexplained = (scenarios: readonly Scenario[], reasons: readonly Reason[]) =>
  scenarios
    .filter(({ name }) => !name.startsWith('tasks-'))
    .flatMap(({ name, failures }) =>
      failures
        .filter(({ why }) => !reasons.some(({ failure }) => failure.test(why)))
        .map((failure) => ({ name, ...failure })),
    )

export const namesOfPassed = (scenarios: readonly Scenario[]): string[] =>
  scenarios.filter(({ failures }) => failures.length === 0).map(({ name }) => name)
