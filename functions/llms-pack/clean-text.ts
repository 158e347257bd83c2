/* biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what is taken out */

/** Commands to a terminal: colours and cursor movements, and those with a text that ends in a bell. */
const terminalCommands =
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b\n]{0,256}(?:\u0007|\u001b\\)|[@-Z\\-_])?|\u009b[0-?]{0,64}[@-~]?/g
const lineBreaks = /\r\n?|[\v\f\u001c-\u001e\u0085\u2028\u2029]/g
/** Controls but for the tab, and what nobody sees: turned writing direction, tags, joints that do not join. */
const unseen =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b\u2060-\u2069\u202a-\u202e\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g

/**
 * Text of a stranger as text and nothing else: no commands to a terminal, no signs that hide, turn round or end what
 * stands beside them. The words stay, whatever they say.
 */
export const cleanText = (text: string): string =>
  text.toWellFormed().replace(lineBreaks, '\n').replace(terminalCommands, '').replace(unseen, '')
