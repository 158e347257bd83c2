// The game host alone: `node game-server/host/main.ts <build folder>`. `npm start` runs it beside the site.

import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { readConfig } from '../../src/config/config.ts'
import { log } from '../../src/core/log.ts'
import { toSaidText } from '../../src/core/said-text.ts'
import { listen } from '../../src/http/listen.ts'
import { stopOnSignal } from '../../src/http/shutdown.ts'
import { tryToPinBuild } from '../../src/storage/build-pins.ts'
import { keepPrivate } from '../../src/storage/private-files.ts'
import { openGameHost } from './open-game-host.ts'

const [buildFolder] = process.argv.slice(2)
try {
  if (!buildFolder) throw new Error('usage: node game-server/host/main.ts <build folder>')
  const config = readConfig(process.env)
  const say = (note: string): void => log('server.note', { note })
  // Resolved, because the link may be switched to another build while files and workers of this one are still read.
  const folder = realpathSync(buildFolder)
  tryToPinBuild(folder, say)
  await keepPrivate(resolve(config.dataDir), say)
  const game = await openGameHost(config, folder, log)
  const { port } = await listen(game.server, { host: config.host, port: config.gamePort, setting: 'GAME_PORT' })
  stopOnSignal({ servers: [game.server], begin: game.beginClose, late: game.settleNoMore, settle: game.close })
  console.log(`listening ${port}`)
} catch (error) {
  console.error(toSaidText(error))
  process.exit(1)
}
