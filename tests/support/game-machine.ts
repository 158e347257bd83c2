import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningSite, startSite } from './running-site.ts'

const nowhere = 'http://127.0.0.1:9'

/** A game host on a machine of its own, which shares only a database and a secret with the others. */
export const startGameMachine = (
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningSite> =>
  startSite({
    ...{ facilitatorUrl: nowhere, rpcUrl: nowhere, program: 'game-server/host/main.ts' },
    dataDir: mkdtempSync(join(tmpdir(), 'farthing-game-machine-')),
    env: {
      GAME_PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      FARTHING_SECRET: 'a secret that both are given alike',
      ...settings,
    },
  })
