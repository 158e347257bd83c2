import { stopWithParent } from '../src/sandbox/stop-with-parent.ts'
import { startSite } from '../tests/support/running-site.ts'
import type { Bench } from './row.ts'
import type { Server } from './server.ts'

/** Starts the whole game host as it runs in production, with databases of its own. */
export async function startOurGame({ build, money, newFolder, started }: Bench): Promise<Server> {
  const env = { NODE_ENV: 'production', GAME_PORT: '0' }
  const game = await startSite({ ...money, build, program: 'game-server/host/main.ts', dataDir: newFolder(), env })
  const { pid } = game.child
  const callOffGuard = pid === undefined ? () => {} : stopWithParent(pid)
  started.defer(async () => {
    await game.kill('SIGTERM')
    callOffGuard()
  })
  return { origin: `http://127.0.0.1:${game.port}`, pid }
}
