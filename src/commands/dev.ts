// `npm run dev`: the whole site and the game from the current source files, with simulated money.

import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dev } from 'astro'
import { readConfig } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'
import { log } from '../core/log.ts'
import { toSaidText } from '../core/said-text.ts'
import { makeDevSite } from '../dev/dev-site.ts'
import { stopOnSignal } from '../http/shutdown.ts'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { stopWithParent } from '../sandbox/stop-with-parent.ts'
import { pinBuild } from '../storage/build-pins.ts'
import { keepPrivate } from '../storage/private-files.ts'
import { toGameHostEnvironment } from './game-host-environment.ts'
import { holdFolder } from './hold-folder.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const say = (line: string): void => console.log(line)

/** Starts the game host; Node restarts it whenever one of its files changes. */
function watchGameHost(env: NodeJS.ProcessEnv) {
  const watched = ['--watch', '--watch-preserve-output', '--watch-path=game-server', 'src/commands/dev-game.ts']
  const game = spawn(process.execPath, watched, { cwd: root, env, stdio: 'inherit' })
  if (game.pid !== undefined) stopWithParent(game.pid)
  return game
}

try {
  const config = readConfig(process.env)
  if (config.mode === 'live') throw new ConfigError('npm run dev sells for simulated money only; unset FARTHING_MODE')
  const dataDir = resolve(config.dataDir)
  holdFolder(dataDir)
  const folder = join(root, `.build/dev-site-${config.port}`)
  pinBuild(folder)
  const money = await startSandbox(config, dataDir, say)
  await keepPrivate(dataDir, (note) => log('server.note', { note }))
  const game = watchGameHost(toGameHostEnvironment(config, process.env))
  const site = makeDevSite({ config, folder, log })
  stopOnSignal({
    servers: [],
    begin: () => game.kill('SIGTERM'),
    async settle() {
      await site.close()
      await money.stop()
    },
  })
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
  const { host, port } = config
  await dev({ root, server: { host, port }, integrations: [site.integration] })
  await site.ready
  say(`ready ${config.baseUrl}`)
} catch (error) {
  // Prints the message without its stack: each expected error says what to change.
  console.error(toSaidText(error))
  process.exit(1)
}
