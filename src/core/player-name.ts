/** How players may be called: names reach models, so they are one short word without any markup. */
export const playerNamePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,23}$/

/** The same in words. */
export const playerNameRule = '1 to 24 letters from A to Z, digits, - or _, beginning with a letter or digit'

/**
 * The same for the `pattern` of an input, which is anchored by itself and wants the hyphen escaped. Keyboards of
 * telephones leave a space behind a word: whoever reads the input trims it.
 */
export const playerNameInputPattern = ` *${playerNamePattern.source.slice(1, -1).replace('_-', '_\\-')} *`

/** What tells players apart: the name without its case. */
export const toPlayerKey = (name: string): string => name.toLowerCase()
