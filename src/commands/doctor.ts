// `npm run doctor`: checks everything that a sale needs, with the current settings, whether the shop runs or not.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../config/config.ts'
import { allFacilitators, type FacilitatorChoices, ownFacilitator } from '../config/facilitators.ts'
import { findDoubts } from '../config/find-doubts.ts'
import type { OtherNetwork } from '../config/other-networks.ts'
import { toLogText } from '../core/log.ts'
import { base } from '../core/networks.ts'
import { redactUrl } from '../core/redact-url.ts'
import { toSaidText } from '../core/said-text.ts'
import type { Check } from '../health/check.ts'
import { makeBackupsCheck } from '../health/check-backups.ts'
import { makeDatabaseCheck } from '../health/check-database.ts'
import { makeDiskCheck } from '../health/check-disk.ts'
import { makeFolderCheck } from '../health/check-folder.ts'
import { makeMemoryCheck } from '../health/check-memory.ts'
import { makeSettlementCheck } from '../health/check-settlement.ts'
import { makeStorageCheck } from '../health/check-storage.ts'
import { makeChainChecks, makeFacilitatorChecks, makeOtherChecks, type SaysItself } from '../health/open-health.ts'
import type { Looked } from '../health/outside/looked.ts'
import { runCheck } from '../health/run-check.ts'
import { makeFacilitator, type OwnFacilitator } from '../sandbox/facilitator.ts'
import { impatience, readStorage, seeBackups } from '../site/open-storage.ts'
import { makeOutsideChecks } from './doctor/outside-checks.ts'
import { purchase } from './doctor/purchase.ts'

const help = `npm run doctor

Checks everything that a sale needs, with the settings of this environment, and says how to fix what is
wrong: settings, the chain and its token, the clock, the facilitator or the gas wallet, folders, disk, memory
and backups; then the shop as seen from outside: its names and certificates, and whether the proxy in front
lets payments, terms, callers' addresses and the game's socket through. Nothing is changed, and the shop need
not be running: what only a running one shows is marked "later". Exits with 1 if something keeps it from
selling. In the sandbox, chain and facilitator run while npm start does.

  --purchase      then buys the cheapest product of the running shop, with real money if the shop is live;
                  the key comes from FARTHING_PRIVATE_KEY or --key-file, as for npm run buy
  --key-file FILE private key of the wallet that pays
  --max-usd USD   how much that may cost (default 0.10)
  --help          this text`

const say = (line: string): void => console.log(line)

/** The checks of the facilitators of this installation; that of `self` is checked without being started. */
function openFacilitatorChecks(config: Config): { checks: Check[]; close: () => void } {
  const { gasLimits: limits, payTo } = config
  const opened: OwnFacilitator[] = []
  const findOwn = (place: Place): SaysItself | undefined => {
    const privateKey = place.facilitatorKey()
    const own = ownFacilitator(place)
    if (own?.is !== 'self' || !privateKey) return undefined
    const { network, rpcUrl, asset } = place
    // The timeout leaves room for two retries within the time limit of a check.
    const facilitator = makeFacilitator({ network, rpcUrl, privateKey, limits, asset, payTo, rpcTimeoutMs: 2_000 })
    opened.push(facilitator)
    const { check } = makeSettlementCheck({ askOwn: facilitator.health, isOurs: true })
    return { url: own.url, check, isRunning: false }
  }
  const checks = [
    ...makeFacilitatorChecks(config, findOwn({ ...config, network: base })),
    ...makeOtherChecks(config, (other) => findOwn({ ...other, asset: other.usdc.address })),
  ]
  const close = (): void => {
    for (const facilitator of opened) facilitator.close()
  }
  return { checks, close }
}

/** A network with its facilitators. */
type Place = FacilitatorChoices &
  Pick<OtherNetwork, 'network' | 'rpcUrl' | 'facilitatorKey'> & { readonly asset: string }

async function openPlaceChecks(config: Config): Promise<Check[]> {
  const dataDir = resolve(config.dataDir)
  const objects = await readStorage(config, impatience)
  const databaseUrl = config.databaseUrl()
  const servers = [
    ...(databaseUrl === undefined ? [] : [makeDatabaseCheck(databaseUrl)]),
    ...(objects ? [makeStorageCheck(objects)] : []),
  ]
  if (!existsSync(dataDir)) return [makeFolderCheck(dataDir), ...servers]
  // Before the first start there can be no backup. For a database, the site knows since when it has data, and reports
  // that itself.
  const sinceMs = existsSync(join(dataDir, 'ledger.db')) ? 0 : Date.now()
  const backups = makeBackupsCheck({ seen: seeBackups(config, objects), sinceMs, now: Date.now })
  return [makeFolderCheck(dataDir), makeDiskCheck(dataDir), backups, ...servers]
}

const settingsCheck = (config: Config): Part => ({
  name: 'settings',
  async run() {
    const doubts = findDoubts(config, process.env)
    if (doubts.length === 0) return { is: 'ok', sentence: 'Every setting is valid.' }
    return { is: 'warning', sentence: `${doubts.join('. ')}.` }
  },
})

const marks = { ok: 'ok     ', later: 'later  ', warning: 'WARNING', failure: 'FAILURE' } as const

interface Part {
  readonly name: string
  readonly run: () => Promise<Looked | undefined>
}

/** Repeats a check up to twice when it finds trouble, because a response may get lost. */
async function lookAgain(check: Part, report: (error: unknown) => void) {
  let found = await runCheck(check, report)
  for (let again = 0; again < 2 && found && found.is !== 'ok'; again++) found = await runCheck(check, report)
  return found
}

/** Prints each finding; resolves to the number of those that keep the shop from selling. */
async function examine(config: Config): Promise<number> {
  const facilitator = openFacilitatorChecks(config)
  const checks: Part[] = [
    settingsCheck(config),
    ...makeChainChecks(config),
    ...facilitator.checks,
    ...(await openPlaceChecks(config)),
    makeMemoryCheck(),
    ...makeOutsideChecks(config),
  ]
  const report = (error: unknown) => console.error(toLogText(error))
  const width = Math.max(...checks.map(({ name }) => name.length))
  let failures = 0
  const looked = checks.map(async (check) => ({ name: check.name, found: await lookAgain(check, report) }))
  for (const { name, found } of await Promise.all(looked)) {
    const indent = `${' '.repeat(9)}${name.padEnd(width)}  `
    if (!found) {
      say(`?        ${name.padEnd(width)}  Cannot be checked until another part is in order.`)
      continue
    }
    if (found.is === 'failure') failures += 1
    say(`${marks[found.is]}  ${name.padEnd(width)}  ${found.sentence}`)
    if ('advice' in found && found.is !== 'ok' && found.advice) say(`${' '.repeat(indent.length)}${found.advice}`)
  }
  facilitator.close()
  return failures
}

try {
  const { values } = parseArgs({
    options: {
      ...{ help: { type: 'boolean' }, purchase: { type: 'boolean' } },
      ...{ 'key-file': { type: 'string' }, 'max-usd': { type: 'string' } },
    },
  })
  if (values.help === true) say(help)
  else {
    const config = readConfig(process.env)
    const { mode, rpcUrl, payTo } = config
    say(`${mode}, paid to ${payTo}`)
    if (mode === 'sandbox') say('(simulated money: chain and facilitator run while npm start runs)')
    say(`chain        ${redactUrl(rpcUrl)}`)
    const sayFacilitators = (choices: FacilitatorChoices): void => {
      for (const { is, url } of allFacilitators(choices)) say(`facilitator  ${is === 'self' ? 'self' : redactUrl(url)}`)
    }
    sayFacilitators(config)
    for (const other of config.alsoNetworks) {
      say(`${other.network.name}, whose money is worth nothing`)
      say(`chain        ${redactUrl(other.rpcUrl)}`)
      sayFacilitators(other)
    }
    say('')
    const failures = await examine(config)
    say('')
    if (failures === 0) say('Nothing was found that keeps this shop from selling.')
    if (failures === 0 && values.purchase === true) {
      say('')
      await purchase(config, { env: process.env, keyFile: values['key-file'], maxUsd: values['max-usd'], say })
    }
    if (failures > 0)
      throw new Error(`${failures === 1 ? 'One thing keeps' : `${failures} things keep`} this shop from selling.`)
  }
} catch (error) {
  console.error(toSaidText(error))
  process.exit(1)
}
