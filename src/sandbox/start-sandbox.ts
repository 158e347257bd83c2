import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { ownFacilitator } from '../config/facilitators.ts'
import { sandboxAccounts } from '../config/sandbox-accounts.ts'
import { chainId } from '../core/chain-constants.ts'
import { log } from '../core/log.ts'
import { openLedgerDatabase } from '../storage/open-ledger-database.ts'
import { type Chain, startChain } from './chain.ts'
import { makeFacilitator } from './facilitator.ts'
import { serveFacilitator } from './serve-facilitator.ts'

const hourMs = 60 * 60 * 1000
const firstBlock = z.object({ timestamp: z.string() })

export interface Money {
  stop: () => Promise<void>
}

/**
 * Starts what stands for money in the sandbox, unless the configuration names other addresses: a local chain with a
 * funded buyer, and a facilitator on it. Writes `sandbox.json` for buyers on this machine.
 */
export async function startSandbox(config: Config, dataDir: string, say: (line: string) => void): Promise<Money> {
  const isLocalChain = config.rpcUrl === `http://127.0.0.1:${config.chainPort}`
  const chain = isLocalChain ? await startMatchingChain(config, dataDir, say) : undefined
  try {
    const { rpcUrl, gasLimits: limits, asset, walletFactories, alsoAccepts } = config
    const alsoAssets = alsoAccepts.map(({ address }) => address)
    const key = config.facilitatorKey() ?? sandboxAccounts.facilitator.privateKey
    const facilitator =
      ownFacilitator(config) === undefined
        ? undefined
        : await serveFacilitator(
            makeFacilitator({ rpcUrl, privateKey: key, limits, asset, walletFactories, alsoAssets, log }),
            {
              port: config.facilitatorPort,
            },
          )
    writeSandboxFile(config, dataDir)
    return {
      async stop() {
        await facilitator?.close()
        await chain?.stop()
      },
    }
  } catch (error) {
    await chain?.stop()
    throw error
  }
}

/** A chain that lost sales the ledger knows (a kill may lose its last second) would make receipts untrue. */
async function startMatchingChain(config: Config, dataDir: string, say: (line: string) => void): Promise<Chain> {
  const options = { port: config.chainPort, stateFile: join(dataDir, 'chain.json') }
  const chain = await startChain(options)
  if (await hasEverySale(chain, join(dataDir, 'ledger.db'))) return chain
  await chain.stop()
  const aside = join(dataDir, `aside-${new Date().toISOString().replaceAll(':', '')}`)
  mkdirSync(aside, { mode: 0o700 })
  for (const name of ['chain.json', 'ledger.db', 'ledger.db-wal', 'ledger.db-shm', 'products'])
    if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(aside, name))
  say(`The sandbox chain had lost sales that the ledger knows, so both were moved aside to ${aside} and begun anew.`)
  return startChain(options)
}

/**
 * Of the last hour, and since the chain was begun: a ledger out of a backup knows older ones, and simulated money is
 * not backed up.
 */
async function hasEverySale(chain: Chain, ledgerFile: string): Promise<boolean> {
  if (!existsSync(ledgerFile)) return true
  const db = await openLedgerDatabase(ledgerFile)
  try {
    const { timestamp } = firstBlock.parse(await chain.rpc('eth_getBlockByNumber', ['earliest', false]))
    const since = Math.max(Date.now() - hourMs, Number(timestamp) * 1000)
    const sales = await db
      .selectFrom('sale')
      .select('transaction_hash')
      .where('settled_at', '>', since)
      .where('reversed_at', 'is', null)
      .execute()
    for (const { transaction_hash } of sales)
      if ((await chain.rpc('eth_getTransactionReceipt', [transaction_hash])) === null) return false
    return true
  } finally {
    await db.destroy()
  }
}

function writeSandboxFile(config: Config, dataDir: string): void {
  const { address, privateKey } = sandboxAccounts.buyer
  const facts = {
    baseUrl: config.baseUrl,
    gameUrl: config.gameUrl,
    wsUrl: config.wsUrl,
    facilitatorUrl: config.facilitator.url,
    rpcUrl: config.rpcUrl,
    chainId,
    asset: config.asset,
    payTo: config.payTo,
    buyer: { address, privateKey },
  }
  const file = join(dataDir, 'sandbox.json')
  writeFileSync(file, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 })
  chmodSync(file, 0o600)
}
