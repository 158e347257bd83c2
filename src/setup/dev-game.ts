// The game host of `npm run dev`: started anew by Node whenever one of its files changes. Nothing can be paid there.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildGame } from '../../game-server/build-game.ts'
import { openGameHost } from '../../game-server/host/open-game-host.ts'
import { readConfig } from '../config.ts'
import { log } from '../log.ts'
import { listen } from '../server/listen.ts'
import { stopOnSignal } from '../server/shutdown.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const outDir = join(root, '.build/dev-game')

try {
  const config = readConfig(process.env)
  await buildGame({ root, outDir })
  const game = await openGameHost(config, outDir, log)
  await listen(game.server, { host: config.host, port: config.gamePort, setting: 'GAME_PORT' })
  stopOnSignal({ servers: [game.server], begin: game.beginClose, settle: game.close, answerMs: 500 })
  console.log(`game ${config.gameUrl}/play.html`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
