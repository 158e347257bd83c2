const aligned = /(?<=<t[hd] )style="text-align:(left|center|right)"/g

/**
 * The cells of a table whose markdown says how they are aligned, without the styles that the renderer gives them: pages
 * refuse styles in attributes, and feeds should have none.
 *
 * @param attribute whose value `left`, `center` or `right` says it instead
 */
export const alignCells = (html: string, attribute: string): string => html.replace(aligned, `${attribute}="$1"`)
