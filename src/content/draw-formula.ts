import temml from 'temml'

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const toAttribute = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

/**
 * Converts a TeX formula to MathML, which browsers typeset without a font or script of ours; the TeX is its alternative
 * text. It has no style attributes, which the pages' Content-Security-Policy forbids.
 *
 * @throws Error when the formula is not valid TeX
 */
export function drawFormula(tex: string, isBlock: boolean): string {
  const mathml = temml.renderToString(tex, { displayMode: isBlock, throwOnError: true })
  return mathml.replace(/ style="[^"]*"/g, '').replace(/^<math\b/, `<math alttext="${toAttribute(tex.trim())}"`)
}

/** What is wrong with a formula, to be appended to file and line. */
export function findFormulaFault(tex: string): string | undefined {
  try {
    drawFormula(tex, false)
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // The library underlines the position with combining characters.
    const plain = message.replaceAll('\u0332', '').replace(/\s+/g, ' ').trim()
    return `the formula cannot be read: ${plain}; a price in a text needs no second dollar sign, or write \\$`
  }
}
