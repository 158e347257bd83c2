/* biome-ignore-all lint/suspicious/noControlCharactersInRegex: these characters are removed */

/** Terminal escape sequences: CSI (colours, cursor movements), OSC (which ends in BEL or ST), and their C1 forms. */
const terminalCommands =
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b\n]{0,256}(?:\u0007|\u001b\\)|[@-Z\\-_])?|\u009b[0-?]{0,64}[@-~]?/g
const lineBreaks = /\r\n?|[\v\f\u001c-\u001e\u0085\u2028\u2029]/g
/** Control characters except tab and newline, and invisible ones: bidirectional overrides, zero-width joiners, tags. */
const unseen =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b\u2060-\u2069\u202a-\u202e\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g

/**
 * Untrusted text without terminal escapes and invisible or bidirectional control characters. All visible words stay,
 * whatever they say.
 */
export const cleanText = (text: string): string =>
  text.toWellFormed().replace(lineBreaks, '\n').replace(terminalCommands, '').replace(unseen, '')
