import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { gameMemory, smallMemory, smallYoungGeneration } from '../../src/core/small-memory.ts'
import { findFreePorts } from './free-ports.ts'
import { startMoney } from './money.ts'
import { layProductionFiles, readOnly } from './production-files.ts'
import { type RunningSite, startSite } from './running-site.ts'

interface Shop {
  readonly mode: 'live' | 'sandbox'
  readonly payTo: string
  readonly baseUrl: string
  readonly gameUrl: string
  /** Further settings of both programs. */
  readonly env?: Readonly<Record<string, string>>
}

const tenEther = '0x8ac7230489e80000'

/**
 * Both programs as the systemd units start them: from read-only files of a production install, and with a gas key that
 * only the site has.
 */
export async function startProduction({ mode, payTo, baseUrl, gameUrl, env = {} }: Shop) {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-data-'))
  const root = layProductionFiles({ mode, payTo, baseUrl })
  const money = await startMoney()
  const programs: RunningSite[] = []
  const stop = async (): Promise<void> => {
    for (const program of programs.toReversed()) await program.kill('SIGTERM')
    await money.stop()
    rmSync(root, { recursive: true })
  }
  try {
    const gasKey = `0x${randomBytes(32).toString('hex')}` as const
    await money.rpc('anvil_setBalance', [privateKeyToAccount(gasKey).address, tenEther])
    const facilitatorPort = String(await findFreePorts())
    const shared = {
      ...{ FARTHING_MODE: mode, NODE_ENV: 'production', PAY_TO_ADDRESS: payTo, DATA_DIR: dataDir },
      ...smallMemory,
      ...{ BASE_URL: baseUrl, GAME_URL: gameUrl, GAME_PORT: '0', RPC_URL: money.rpcUrl, TRUSTED_PROXIES: '1' },
      FACILITATOR_URL: `http://127.0.0.1:${facilitatorPort}`,
      ...env,
    }
    const own = {
      NODE_OPTIONS: smallYoungGeneration,
      ...{ FACILITATOR_URL: 'self', FACILITATOR_PRIVATE_KEY: gasKey, FACILITATOR_PORT: facilitatorPort },
      // The local chain has the gas price of Ethereum.
      SETTLEMENT_ETH_USD: '1',
    }
    const options = { ...money, root, dataDir, build: join(root, '.build/current'), within: readOnly(root) }
    const start = async (name: string, its: Readonly<Record<string, string>>): Promise<RunningSite> => {
      const program = await startSite({ ...options, env: its, program: `.build/current/programs/${name}.mjs` })
      programs.push(program)
      return program
    }
    const site = await start('site', { ...shared, ...own })
    const game = await start('game-host', { ...shared, ...gameMemory })
    return { root, money, site, game, env: shared, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

export type ProductionPrograms = Awaited<ReturnType<typeof startProduction>>
