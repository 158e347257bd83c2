import { symbolOf } from '../core/assets.ts'
import { usdcAddress } from '../core/chain-constants.ts'
import { type MicroUsd, toDisplay } from '../core/money.ts'

/** Whether a token is USDC on Base, in which prices are quoted. */
const isUsdc = (asset: string): boolean => asset.toLowerCase() === usdcAddress.toLowerCase()

/** The name of a token for people. A shop may accept one that this program does not know. */
export const tokenName = (asset: string): string => {
  const symbol = symbolOf(asset)
  return symbol === 'USDC' && !isUsdc(asset) ? `the token ${asset}` : symbol
}

/** The name of a token after an amount: `EURC`, `of the token 0x…`. */
export const afterAmount = (asset: string): string => tokenName(asset).replace(/^the /, 'of the ')

/** An amount in millionths of a token, for people: `$0.10`, `0.092 EURC`, `0.10 of the token 0x…`. */
export const showAmount = (amount: MicroUsd, asset: string): string =>
  isUsdc(asset) ? toDisplay(amount) : `${toDisplay(amount).slice(1)} ${afterAmount(asset)}`

/** The same for programs. Only USDC is expressed in dollars. */
export const toSum = (amount: MicroUsd | string, asset: string) =>
  isUsdc(asset) ? { amountMicroUsd: String(amount) } : { asset, amountUnits: String(amount) }
