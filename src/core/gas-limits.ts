/** Limits on the gas of one settlement, for the wallet that pays for it; whole numbers. */
export interface GasLimits {
  /** Units of gas. A plain account's transfer of USDC takes 60,000 to 90,000, a contract wallet's up to 250,000. */
  readonly maxGas: number
  /** The largest share of the payment that its gas may cost. Absent for no limit, as where gas is simulated. */
  readonly maxShare?: {
    readonly percent: number
    /** The assumed price of one ether, in whole dollars. */
    readonly etherUsd: number
  }
}

export const usualLimits: GasLimits = { maxGas: 300_000 }

interface Cost {
  readonly gas: bigint
  /** Wei per unit of gas. */
  readonly price: bigint
  /** The amount of the payment, in micro-USD. */
  readonly amount: bigint
}

const weiPerEther = 10n ** 18n
const microsPerDollar = 1_000_000n

/** Whether the gas costs more than the allowed share of the payment. */
export function isTooDear({ gas, price, amount }: Cost, { maxShare }: GasLimits): boolean {
  if (!maxShare) return false
  // Both sides times 100 and the wei of an ether, so that nothing is rounded.
  const { percent, etherUsd } = maxShare
  return gas * price * BigInt(etherUsd) * microsPerDollar * 100n > amount * BigInt(percent) * weiPerEther
}
