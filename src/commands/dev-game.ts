// The game host of `npm run dev`. Node restarts it whenever one of its files changes.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openGameHost } from '../../game-server/host/open-game-host.ts'
import { buildGame } from '../build/programs/build-game.ts'
import { readConfig } from '../config/config.ts'
import { log } from '../core/log.ts'
import { toSaidText } from '../core/said-text.ts'
import { listen } from '../http/listen.ts'
import { stopOnSignal } from '../http/shutdown.ts'
import { pinBuild } from '../storage/build-pins.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

try {
  const config = readConfig(process.env)
  const outDir = join(root, `.build/dev-game-${config.gamePort}`)
  pinBuild(outDir)
  await buildGame({ root, outDir })
  const game = await openGameHost(config, outDir, log)
  await listen(game.server, { host: config.host, port: config.gamePort, setting: 'GAME_PORT' })
  stopOnSignal({ servers: [game.server], begin: game.beginClose, settle: game.close, answerMs: 500 })
  console.log(`game ${config.gameUrl}/play.html`)
} catch (error) {
  console.error(toSaidText(error))
  process.exitCode = 1
}
