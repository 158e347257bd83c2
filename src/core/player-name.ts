/** The allowed names of players. Language models read them, so a name is one short word without markup. */
export const playerNamePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,23}$/

/** The same rule in words. */
export const playerNameRule = '1 to 24 letters from A to Z, digits, - or _, beginning with a letter or digit'

/**
 * The same rule for the `pattern` attribute of an input, which is always anchored and needs the hyphen escaped. It
 * allows spaces around the name, because keyboards of phones add one after a word; the reader of the input trims them.
 */
export const playerNameInputPattern = ` *${playerNamePattern.source.slice(1, -1).replace('_-', '_\\-')} *`

/** The key that identifies a player: the name in lower case, so that case makes no difference. */
export const toPlayerKey = (name: string): string => name.toLowerCase()
