/** USDC in millionths of a dollar (its atomic unit). Always an integer, so that sums and comparisons are exact. */
export type MicroUsd = bigint

const microsPerDollar = 1_000_000n

/**
 * Reads a price as people write it.
 *
 * @example usd('0.05') // 50000n
 * @throws TypeError when the text is not a plain decimal with at most six places
 */
export function usd(text: string): MicroUsd {
  const parts = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text)
  if (!parts) throw new TypeError(`not a price in dollars: ${JSON.stringify(text)}`)
  const [, whole = '0', fraction = ''] = parts
  return BigInt(whole) * microsPerDollar + BigInt(fraction.padEnd(6, '0'))
}

/** A price in dollars for people: two decimals, more only where the price needs them (`$0.10`, `$0.0525`). */
export function toDisplay(price: MicroUsd): string {
  const fraction = (price % microsPerDollar)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')
  return `$${price / microsPerDollar}.${fraction}`
}

/** A price in dollars as the JSON number in published documents; exact for every price below nine billion dollars. */
export const toUsdNumber = (price: MicroUsd): number => Number(price) / 1_000_000

/** Whole cents, rounded down, for statistics. */
export const toCents = (price: MicroUsd): number => Number(price / 10_000n)
