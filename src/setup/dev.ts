import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { ConfigError, readConfig } from '../config.ts'
import { stopWithParent } from '../sandbox/stop-with-parent.ts'
import { toBuildEnvironment } from './build-environment.ts'
import { astroProgram } from './run-astro-build.ts'

// `npm run dev`: the pages with reload. What is sold answers only in `npm start`, which has the ledger.
const root = fileURLToPath(new URL('../../', import.meta.url))

try {
  const config = readConfig(process.env)
  // Without --ignore-lock Astro goes to the background, and this ends, when it believes an agent started it.
  const args = [astroProgram(root), 'dev', '--ignore-lock', '--host', config.host, '--port', String(config.port)]
  const env = toBuildEnvironment(config, process.env)
  const child = spawn(process.execPath, [...args, ...process.argv.slice(2)], { cwd: root, env, stdio: 'inherit' })
  if (child.pid !== undefined) stopWithParent(child.pid)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']))
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
