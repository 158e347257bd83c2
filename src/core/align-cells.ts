const aligned = /(?<=<t[hd] )style="text-align: ?(left|center|right)"/g

/**
 * Replaces the `text-align` styles that the renderer writes into table cells by an attribute: the content security
 * policy of pages refuses style attributes, and feeds should have none.
 *
 * @param attribute the attribute that gets the value `left`, `center` or `right`
 */
export const alignCells = (html: string, attribute: string): string => html.replace(aligned, `${attribute}="$1"`)
