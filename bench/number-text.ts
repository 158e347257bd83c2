/** A figure with its thousands apart. */
export const toFigureText = (figure: number, digits: number): string =>
  figure.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** A ratio to the hundredth, and a small one to two digits that say something. */
export const toRatioText = (ratio: number): string => {
  const digits = ratio > 0 && ratio < 0.1 ? 1 - Math.floor(Math.log10(ratio)) : 2
  return ratio.toFixed(digits)
}
