import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { type FacilitatorChoices, ownFacilitator } from '../config/facilitators.ts'
import type { OtherNetwork } from '../config/other-networks.ts'
import { sandboxAccounts } from '../config/sandbox-accounts.ts'
import { chainId } from '../core/chain-constants.ts'
import { log } from '../core/log.ts'
import { base, type Network } from '../core/networks.ts'
import { openLedgerDatabase } from '../storage/open-ledger-database.ts'
import { type Chain, startChain } from './chain.ts'
import { makeFacilitator } from './facilitator.ts'
import { serveFacilitator } from './serve-facilitator.ts'

const hourMs = 60 * 60 * 1000
const firstBlock = z.object({ timestamp: z.string() })

export interface Money {
  stop: () => Promise<void>
}

/** A network of the sandbox, with its local chain and facilitator. */
interface Place extends FacilitatorChoices {
  readonly network: Network
  readonly rpcUrl: string
  readonly chainPort: number
  readonly facilitatorPort: number
  readonly facilitatorKey: () => string | undefined
  /** The token that its facilitator settles. */
  readonly asset: string
  readonly alsoAssets: readonly string[]
  /** The file of the chain's state in the data folder. */
  readonly stateFile: string
  /** The prefix of the names of its settings. */
  readonly prefix: string
}

const toPlaces = (config: Config): Place[] => [
  {
    ...config,
    network: base,
    alsoAssets: config.alsoAccepts.map(({ address }) => address),
    stateFile: 'chain.json',
    prefix: '',
  },
  ...config.alsoNetworks.map((other) => ({
    ...other,
    asset: other.usdc.address,
    alsoAssets: [],
    stateFile: `chain-${other.network.slug}.json`,
    prefix: 'BASE_SEPOLIA_',
  })),
]

/**
 * Starts the simulated money of the sandbox, unless the configuration names other addresses: for each network a local
 * chain with a funded buyer, and a facilitator. Writes `sandbox.json` for buyers on this machine.
 */
export async function startSandbox(config: Config, dataDir: string, say: (line: string) => void): Promise<Money> {
  const places = toPlaces(config)
  const local = places.filter(({ rpcUrl, chainPort }) => rpcUrl === `http://127.0.0.1:${chainPort}`)
  const chains = await startMatchingChains(local, { dataDir, databaseUrl: config.databaseUrl() }, say)
  const facilitators: { close: () => Promise<void> }[] = []
  const stop = async () => {
    for (const facilitator of facilitators) await facilitator.close()
    await stopAll(chains)
  }
  try {
    for (const place of places)
      if (ownFacilitator(place) !== undefined) facilitators.push(await startFacilitator(place, config))
    writeSandboxFile(config, dataDir)
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function startFacilitator(place: Place, { gasLimits: limits, walletFactories }: Config) {
  const { network, rpcUrl, asset, alsoAssets, facilitatorPort: port, prefix } = place
  const privateKey = place.facilitatorKey() ?? sandboxAccounts.facilitator.privateKey
  const settled = { network, rpcUrl, asset, alsoAssets }
  return serveFacilitator(makeFacilitator({ ...settled, privateKey, limits, walletFactories, log }), {
    port,
    network: network.id,
    portSetting: `${prefix}FACILITATOR_PORT`,
  })
}

const stopAll = async (chains: readonly Chain[]): Promise<void> => {
  await Promise.all(chains.map((chain) => chain.stop()))
}

/** The location of the sandbox's ledger. */
interface Books {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
}

/**
 * Starts the chains and checks that they have every sale in the ledger, because otherwise receipts would be untrue: a
 * kill may lose the last second of a chain. If one does not, chains and ledger are moved aside and begun again.
 */
async function startMatchingChains(
  places: readonly Place[],
  books: Books,
  say: (line: string) => void,
): Promise<readonly Chain[]> {
  const { dataDir, databaseUrl } = books
  const chains = await startChains(places, dataDir)
  const isWhole = async ({ network }: Place, at: number) => {
    const chain = chains[at]
    return chain !== undefined && hasEverySale(chain, network, books)
  }
  try {
    if ((await Promise.all(places.map(isWhole))).every(Boolean)) return chains
  } catch (error) {
    await stopAll(chains)
    throw error
  }
  await stopAll(chains)
  if (databaseUrl !== undefined)
    throw new Error(
      'the sandbox chain has lost sales that the ledger in the database of DATABASE_URL knows; name an empty database, or unset it',
    )
  const aside = join(dataDir, `aside-${new Date().toISOString().replaceAll(':', '')}`)
  mkdirSync(aside, { mode: 0o700 })
  const states = places.map(({ stateFile }) => stateFile)
  for (const name of [...states, 'ledger.db', 'ledger.db-wal', 'ledger.db-shm', 'products'])
    if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(aside, name))
  say(`The sandbox chain had lost sales that the ledger knows, so both were moved aside to ${aside} and begun anew.`)
  return startChains(places, dataDir)
}

/** Starts all chains; if one fails, stops the others. */
async function startChains(places: readonly Place[], dataDir: string): Promise<readonly Chain[]> {
  const chains: Chain[] = []
  try {
    for (const { network, chainPort: port, stateFile, prefix } of places)
      chains.push(
        await startChain({
          network,
          port,
          portSetting: `${prefix}CHAIN_PORT`,
          stateFile: join(dataDir, stateFile),
        }),
      )
    return chains
  } catch (error) {
    await stopAll(chains)
    throw error
  }
}

/**
 * Whether a chain has every sale of the last hour since it was begun. Older sales are not checked: a restored ledger
 * has some that the chain does not, because simulated money is not backed up.
 */
async function hasEverySale(chain: Chain, network: Network, { dataDir, databaseUrl }: Books): Promise<boolean> {
  const ledgerFile = join(dataDir, 'ledger.db')
  if (databaseUrl === undefined && !existsSync(ledgerFile)) return true
  const db = await openLedgerDatabase(ledgerFile, databaseUrl)
  try {
    const { timestamp } = firstBlock.parse(await chain.rpc('eth_getBlockByNumber', ['earliest', false]))
    const since = Math.max(Date.now() - hourMs, Number(timestamp) * 1000)
    const sales = await db
      .selectFrom('sale')
      .select('transaction_hash')
      .where('network', '=', network.id)
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

const toFacts = ({ network, rpcUrl, facilitator, usdc }: OtherNetwork) => ({
  network: network.id,
  chainId: network.chainId,
  rpcUrl,
  facilitatorUrl: facilitator.url,
  asset: usdc.address,
})

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
    ...(config.alsoNetworks.length > 0 && { alsoNetworks: config.alsoNetworks.map(toFacts) }),
    buyer: { address, privateKey },
  }
  const file = join(dataDir, 'sandbox.json')
  writeFileSync(file, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 })
  chmodSync(file, 0o600)
}
