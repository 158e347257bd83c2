import { symbolOf } from '../core/assets.ts'
import { usdcAddress } from '../core/chain-constants.ts'
import { type MicroUsd, toDisplay } from '../core/money.ts'

/** Whether a token is the one that prices are in. */
const isUsdc = (asset: string): boolean => asset.toLowerCase() === usdcAddress.toLowerCase()

/** What people call a token. A shop may take one that this program has never heard of. */
export const tokenName = (asset: string): string => {
  const symbol = symbolOf(asset)
  return symbol === 'USDC' && !isUsdc(asset) ? `the token ${asset}` : symbol
}

/** The name behind an amount: `EURC`, `of the token 0x…`. */
export const afterAmount = (asset: string): string => tokenName(asset).replace(/^the /, 'of the ')

/** So many millionths of a token, for people: `$0.10`, `0.092 EURC`, `0.10 of the token 0x…`. */
export const showAmount = (amount: MicroUsd, asset: string): string =>
  isUsdc(asset) ? toDisplay(amount) : `${toDisplay(amount).slice(1)} ${afterAmount(asset)}`

/** The same for programs: dollars are what USDC is taken for, and nothing else. */
export const toSum = (amount: MicroUsd | string, asset: string) =>
  isUsdc(asset) ? { amountMicroUsd: String(amount) } : { asset, amountUnits: String(amount) }
