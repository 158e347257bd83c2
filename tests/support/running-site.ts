import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleProgram } from './bundle-program.ts'
import { getPrepared } from './get-prepared.ts'
import { readOutput } from './read-output.ts'
import { toPlace } from './test-databases.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The public address in every page and document of the tested build. */
export const testBaseUrl = 'http://farthing.test'

export interface RunningSite {
  port: number
  dataDir: string
  /** Fetches a path of the site, or an absolute URL below its public address. */
  fetch: typeof fetch
  /** Everything that the process has printed so far. */
  output: () => string
  kill: (signal?: NodeJS.Signals) => Promise<void>
  child: ChildProcess
}

export interface SiteOptions {
  facilitatorUrl: string
  rpcUrl: string
  dataDir?: string
  /** The folder of another build than the tested one. */
  build?: string
  env?: Readonly<Record<string, string>>
  /** Another program than the site's own, for tests that inject failures. */
  program?: string
  /** The root folder of the program if it is a copy of this repository. */
  root?: string
  /** A command in front of the program's, which runs it. */
  within?: readonly string[]
}

/** The folder of the site that `npm test` built. */
export const testBuild = (): string => getPrepared('TEST_BUILD', 'the built site')

/** The programs in a build, as they run in production, by the paths of their sources. */
const built: Readonly<Record<string, string>> = {
  'src/site/main.ts': 'site.mjs',
  'game-server/host/main.ts': 'game-host.mjs',
}

/** Altered builds lie where their programs find no packages, so a test's own program is bundled like the site's. */
async function toFile(program: string, build: string): Promise<string> {
  const name = built[program]
  return name === undefined ? await bundleProgram(program) : join(process.env['TEST_BUILD'] ?? build, 'programs', name)
}

/** Starts the real site program with the tested build on a free port, and waits until it listens. */
export async function startSite(options: SiteOptions): Promise<RunningSite> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'farthing-site-'))
  const { program = 'src/site/main.ts', root: home = root, within = [] } = options
  const build = options.build ?? testBuild()
  const file = home === root ? await toFile(program, build) : resolve(home, program)
  const place = await toPlace(dataDir)
  const [command = '', ...args] = [...within, process.execPath, file, build]
  const child = spawn(command, args, {
    cwd: home,
    env: {
      ...process.env,
      BASE_URL: testBaseUrl,
      PORT: '0',
      ...place,
      FACILITATOR_URL: options.facilitatorUrl,
      RPC_URL: options.rpcUrl,
      // Backups and an hour of narration are no part of most tests.
      JOBS: 'off',
      NARRATION: 'off',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { listening, output } = readOutput(child, 'the site')
  const port = await listening
  return {
    port,
    dataDir,
    child,
    fetch: toLocalFetch(port),
    output,
    async kill(signal = 'SIGKILL') {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    },
  }
}

/** A fetch that maps the test address to a local port, as DNS would; relative paths are below it. */
export function toLocalFetch(port: number): typeof fetch {
  const toLocal = (url: string) => new URL(url, testBaseUrl).href.replace(testBaseUrl, `http://127.0.0.1:${port}`)
  return (input, init) =>
    input instanceof Request ? fetch(new Request(toLocal(input.url), input), init) : fetch(toLocal(String(input)), init)
}
