import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { type Log, toLogText } from '../core/log.ts'
import type { Check } from './check.ts'
import { makeBackupsCheck } from './check-backups.ts'
import { makeBlocksCheck } from './check-blocks.ts'
import { makeChainCheck } from './check-chain.ts'
import { makeClockCheck } from './check-clock.ts'
import { makeDiskCheck } from './check-disk.ts'
import { makeFacilitatorCheck } from './check-facilitator.ts'
import { makeSettlementCheck } from './check-settlement.ts'
import { makeTokenCheck } from './check-token.ts'
import { makeVerificationCheck } from './check-verification.ts'
import { makeLookAtTimes } from './look-at-times.ts'
import { askOwnFacilitator } from './own-facilitator.ts'
import { watchHealth } from './watch-health.ts'

/** What of the chain a sale needs, whoever settles it. */
export function makeChainChecks({ rpcUrl, asset }: Pick<Config, 'rpcUrl' | 'asset'>): Check[] {
  const lookAtTimes = makeLookAtTimes(rpcUrl)
  return [
    makeChainCheck(rpcUrl),
    makeTokenCheck(rpcUrl, asset),
    makeBlocksCheck(lookAtTimes),
    makeClockCheck(lookAtTimes),
  ]
}

/** What of a facilitator a sale needs, whoever runs it. */
export function makeFacilitatorChecks({ facilitator, facilitatorHeaders, payTo, asset, mode }: Config): Check[] {
  const about = { url: facilitator.url, headers: facilitatorHeaders }
  // Our own says by itself how it stands.
  const isStrange = mode === 'live' && facilitator.is === 'remote'
  return [
    makeFacilitatorCheck(about),
    ...(isStrange ? [makeVerificationCheck({ ...about, wallet: { payTo, asset } })] : []),
  ]
}

const isOnThisMachine = (url: string): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(url).hostname)

interface Options {
  readonly config: Config
  /** Whether the backups are this program's affair. */
  readonly watchesBackups: boolean
  readonly log: Log
}

/** Everything that one of the programs looks at, as it is configured. Nothing is looked at before it is asked or started. */
export function openHealth({ config, watchesBackups, log }: Options) {
  const { facilitator } = config
  const isOurs = facilitator.is !== 'remote'
  // To the game host its parent's own facilitator is one on this machine like any other.
  const settlement =
    isOurs || isOnThisMachine(facilitator.url)
      ? makeSettlementCheck({ askOwn: askOwnFacilitator(facilitator.url), isOurs })
      : undefined
  const backups = { folder: resolve(config.backupDir), sinceMs: Date.now(), now: Date.now }
  const health = watchHealth({
    checks: [
      ...makeFacilitatorChecks(config),
      ...(settlement ? [settlement.check] : []),
      ...makeChainChecks(config),
      makeDiskCheck(resolve(config.dataDir)),
      ...(watchesBackups ? [makeBackupsCheck(backups)] : []),
    ],
    onChange: (finding) => log('health.changed', finding),
    report: (error) => log('server.error', { error: toLogText(error) }),
  })
  return { ...health, gas: () => settlement?.gas() }
}
