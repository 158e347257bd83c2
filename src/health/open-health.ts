import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BackupsSeen } from '../backups/overview.ts'
import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/environment.ts'
import { allFacilitators, type FacilitatorChoices, facilitatorName, ownFacilitator } from '../config/facilitators.ts'
import type { OtherNetwork } from '../config/other-networks.ts'
import { type Log, toLogText } from '../core/log.ts'
import { base, type Network } from '../core/networks.ts'
import { toFacilitatorAddress } from '../payments/facilitator/to-facilitator-address.ts'
import type { ObjectStore } from '../storage/objects/object-store.ts'
import type { Check } from './check.ts'
import { makeBackupsCheck } from './check-backups.ts'
import { makeBlocksCheck } from './check-blocks.ts'
import { makeBuildCheck } from './check-build.ts'
import { makeChainCheck } from './check-chain.ts'
import { makeClockCheck } from './check-clock.ts'
import { makeDiskCheck } from './check-disk.ts'
import { makeFacilitatorCheck } from './check-facilitator.ts'
import { makeSettlementCheck } from './check-settlement.ts'
import { makeSeveralChecks } from './check-several.ts'
import { makeStorageCheck } from './check-storage.ts'
import { makeTokenCheck } from './check-token.ts'
import { makeVerificationCheck } from './check-verification.ts'
import { makeLookAtTimes } from './look-at-times.ts'
import { onOtherNetwork } from './on-other-network.ts'
import { askOwnFacilitator } from './own-facilitator.ts'
import { watchHealth } from './watch-health.ts'

/** The checks of what a sale needs of the chain of Base, whichever facilitator settles it. */
export function makeChainChecks({
  rpcUrl,
  asset,
  alsoAccepts = [],
}: Pick<Config, 'rpcUrl' | 'asset'> & Partial<Pick<Config, 'alsoAccepts'>>): Check[] {
  const lookAtTimes = makeLookAtTimes(rpcUrl)
  return [
    makeChainCheck(rpcUrl),
    makeTokenCheck(rpcUrl, asset),
    ...alsoAccepts.map((other) => makeTokenCheck(rpcUrl, other)),
    makeBlocksCheck(lookAtTimes),
    makeClockCheck(lookAtTimes),
  ]
}

/** The checks of what sales on the other networks need. None of their failures stops sales on Base. */
export function makeOtherChecks(
  { alsoNetworks, mode, payTo }: Pick<Config, 'alsoNetworks' | 'mode' | 'payTo'>,
  findOwn: (other: OtherNetwork) => SaysItself | undefined = findRunning,
): Check[] {
  return alsoNetworks.flatMap((other) => {
    const { network, rpcUrl, usdc } = other
    const checks = [
      ...makeFacilitatorChecks({ ...other, mode, payTo, asset: usdc.address }, findOwn(other)),
      makeChainCheck(rpcUrl, network),
      makeTokenCheck(rpcUrl, usdc),
      makeBlocksCheck(makeLookAtTimes(rpcUrl)),
    ]
    return checks.map((check) => onOtherNetwork(check, network))
  })
}

/** A facilitator that reports its own state. */
export interface SaysItself {
  readonly url: string
  readonly check: Check
  /** Whether it listens, so that it can be asked what it supports. */
  readonly isRunning: boolean
}

/** Our own facilitator of a network, which this program or its parent runs. */
function findRunning(choices: FacilitatorChoices): SaysItself | undefined {
  const own = ownFacilitator(choices)
  if (!own) return undefined
  const { check } = makeSettlementCheck({ askOwn: askOwnFacilitator(own.url), isOurs: true })
  return { url: own.url, check, isRunning: true }
}

interface Settled extends FacilitatorChoices, Pick<Config, 'payTo' | 'asset' | 'mode'> {
  /** Base when absent. */
  readonly network?: Network
}

/** The checks of all facilitators on one network. */
export function makeFacilitatorChecks(config: Settled, own?: SaysItself): Check[] {
  const { payTo, asset, mode, network = base } = config
  const all = allFacilitators(config)
  const isOneOfSeveral = all.length > 1
  const members = all.map((choice): readonly Check[] => {
    const itself = own?.url === choice.url ? own : undefined
    const name = facilitatorName(choice)
    const about = { ...toFacilitatorAddress(choice), name, network, isOneOfSeveral, isCdp: choice.isCdp }
    // Our own facilitator needs no test payment: it reports its state itself.
    const isStrange = mode === 'live' && choice.is === 'remote'
    const verification = isStrange
      ? [makeVerificationCheck({ ...about, wallet: { network: network.id, payTo, asset } })]
      : []
    const asked = itself && !itself.isRunning ? [] : [makeFacilitatorCheck(about), ...verification]
    return [...asked, ...(itself ? [itself.check] : [])]
  })
  return isOneOfSeveral ? makeSeveralChecks(members) : members.flat()
}

interface Options {
  readonly config: Config
  /** The backups, if this program is the one that checks them. */
  readonly backups?: BackupsSeen | undefined
  /** The storage; absent when none is configured. */
  readonly objects?: Pick<ObjectStore, 'get'> | undefined
  /** Whether the newest build was refused, where this program serves builds. */
  readonly refusesBuild?: () => boolean
  readonly log: Log
}

/** All health checks of a program, by its configuration. They first run when it is started or asked for findings. */
export function openHealth({ config, backups, objects, refusesBuild, log }: Options) {
  const dataDir = resolve(config.dataDir)
  const own = ownFacilitator(config)
  // The game host cannot tell its parent's own facilitator from any other on this machine.
  const near = own ?? allFacilitators(config).find(({ url }) => isLoopback(url))
  const settlement = near && makeSettlementCheck({ askOwn: askOwnFacilitator(near.url), isOurs: own !== undefined })
  const health = watchHealth({
    checks: [
      ...makeFacilitatorChecks(
        config,
        near && settlement && { url: near.url, check: settlement.check, isRunning: true },
      ),
      ...makeChainChecks(config),
      ...makeOtherChecks(config),
      makeDiskCheck(dataDir),
      ...(backups ? [makeBackupsCheck({ seen: backups, sinceMs: statSync(dataDir).birthtimeMs, now: Date.now })] : []),
      ...(objects ? [makeStorageCheck(objects)] : []),
      ...(refusesBuild ? [makeBuildCheck(refusesBuild)] : []),
    ],
    onChange: (finding) => log('health.changed', finding),
    report: (error) => log('server.error', { error: toLogText(error) }),
  })
  return { ...health, gas: () => settlement?.gas() }
}
