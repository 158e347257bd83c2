import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toProgramEnvironment } from '../../src/config/program-environment.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { readCompose } from './read-deployment.ts'
import { readDockerfile } from './read-dockerfile.ts'
import { readOutput } from './read-output.ts'
import { testBuild } from './running-site.ts'

/** The environment variables that a Dockerfile sets for its programs. */
function readImageEnvironment(): Record<string, string> {
  const pairs = (readDockerfile('deploy/Dockerfile').at(-1) ?? [])
    .filter(({ instruction }) => instruction === 'ENV')
    .flatMap(({ rest }) => rest.split(' '))
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}

/**
 * The programs of a compose file without containers: with the same command lines, environments and env files, the
 * tested build, and folders and free ports of this machine.
 *
 * @param secrets the settings in the env files, by file name
 */
export function layComposed(path: string, secrets: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const { services } = readCompose(path)
  const root = mkdtempSync(join(tmpdir(), 'farthing-composed-'))
  const image = readImageEnvironment()
  for (const [name, settings] of Object.entries(secrets)) {
    const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`)
    writeFileSync(join(root, name), lines.join(''))
    chmodSync(join(root, name), 0o600)
  }
  const toHere = (part: string): string =>
    part
      .replace('/run/secrets', root)
      .replace(/^\.build\/current\/programs/, buildFiles(testBuild()).programs)
      .replace(/^\.build\/current$/, testBuild())

  return {
    /** Starts the program of a service. `as` names a second instance, which may reuse the port of the first one. */
    start(name: string, { as = name, port = 0 } = {}) {
      const { command = [], environment } = services[name] ?? {}
      const [program, ...args] = command.map(toHere)
      if (program !== 'node') throw new Error(`${name} is no program of ours`)
      const dataDir = join(root, as)
      mkdirSync(dataDir)
      const here = {
        HOST: '127.0.0.1',
        PORT: String(port),
        GAME_PORT: String(port),
        DATA_DIR: dataDir,
        WORKER_PRIORITY: 'usual',
      }
      const env = { ...toProgramEnvironment(process.env), ...image, ...environment, ...here }
      const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
      const { listening, output } = readOutput(child, as)
      // A test that does not await the port reads the output.
      listening.catch(() => {})
      return {
        dataDir,
        /** Its port, once it listens. */
        listening,
        output,
        /** Resolves to its exit code. */
        async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
          if (child.exitCode === null && child.signalCode === null) {
            const gone = once(child, 'exit')
            child.kill(signal)
            await gone
          }
          return child.exitCode
        },
      }
    },
  }
}

export type ComposedProgram = ReturnType<ReturnType<typeof layComposed>['start']>
