import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { ConfigError, readConfig } from '../config.ts'
import { stopWithParent } from '../sandbox/stop-with-parent.ts'
import { toBuildEnvironment } from './build-environment.ts'
import { toGameHostEnvironment } from './game-host-environment.ts'
import { astroProgram } from './run-astro-build.ts'

// `npm run dev`: the pages and the game host with reload. What is sold answers only in `npm start`, which has money.
const root = fileURLToPath(new URL('../../', import.meta.url))

try {
  const config = readConfig(process.env)
  // Without --ignore-lock Astro goes to the background, and this ends, when it believes an agent started it.
  const astro = [astroProgram(root), 'dev', '--ignore-lock', '--host', config.host, '--port', String(config.port)]
  const env = toBuildEnvironment(config, process.env)
  const site = spawn(process.execPath, [...astro, ...process.argv.slice(2)], { cwd: root, env, stdio: 'inherit' })
  const watched = ['--watch', '--watch-preserve-output', '--watch-path=game-server', 'src/setup/dev-game.ts']
  const game = spawn(process.execPath, watched, {
    cwd: root,
    env: toGameHostEnvironment(config, process.env),
    stdio: 'inherit',
  })
  for (const { pid } of [site, game]) if (pid !== undefined) stopWithParent(pid)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      site.kill(signal)
      game.kill(signal)
    })
  site.on('exit', (code, signal) => {
    game.kill('SIGTERM')
    process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM']
  })
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
