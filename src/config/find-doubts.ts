import { usdcAddress } from '../core/chain-constants.ts'
import type { Config } from './config.ts'
import { findProxyDoubt } from './find-proxy-doubt.ts'
import { findSpelling } from './wallet-address.ts'

/**
 * Settings that are valid but suspicious, as sentences that begin with the name of the setting.
 *
 * @param env the whole environment, because variables that are not our settings are checked, too
 */
export function findDoubts(
  { mode, payTo, asset, databaseUrl, secret }: Pick<Config, 'mode' | 'payTo' | 'asset' | 'databaseUrl' | 'secret'>,
  env: Readonly<Record<string, string | undefined>> = {},
): string[] {
  const isUsdc = asset.toLowerCase() === usdcAddress.toLowerCase()
  const written = { PAY_TO_ADDRESS: payTo, ...(!isUsdc && { USDC_CONTRACT_ADDRESS: asset }) }
  const isShared = databaseUrl() !== undefined && secret() === undefined
  const keys = isShared
    ? [
        'FARTHING_SECRET is not set, so keys are files in DATA_DIR; set the same one for all programs that share DATABASE_URL',
      ]
    : []
  const spellings = Object.entries(written).flatMap(([name, address]) => {
    const spelling = findSpelling(address)
    if (spelling === undefined) return []
    return [
      `${name} is written without a checksum, so a mistyped character would not be noticed; if it is right, write ${spelling}`,
    ]
  })
  const proxy = findProxyDoubt({ mode, env })
  return [...spellings, ...keys, ...(proxy === undefined ? [] : [proxy])]
}
