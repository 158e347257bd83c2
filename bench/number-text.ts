/** A figure with thousands separators. */
export const toFigureText = (figure: number, digits: number): string =>
  figure.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** A ratio with two decimals, or with two significant digits if it is below 0.1. */
export const toRatioText = (ratio: number): string => {
  const digits = ratio > 0 && ratio < 0.1 ? 1 - Math.floor(Math.log10(ratio)) : 2
  return ratio.toFixed(digits)
}
