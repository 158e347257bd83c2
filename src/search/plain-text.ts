/** What a reader reads of a markdown text, on one line: words without marks and addresses; code as it is. */
export const plainText = (markdown: string): string =>
  markdown
    .split(/^[ \t>]*(?:`{3,}|~{3,}).*$/m)
    .map((part, place) => (place % 2 === 0 ? plainProse(part) : part))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()

const plainProse = (prose: string): string =>
  prose
    .replace(/^[ \t]*(?:>[ \t]?)+/gm, '')
    .replace(/^[ \t]*(?:#{1,6}|[-*+]|\d+[.)])[ \t]+/gm, '')
    .replace(/^[ \t]*(?:\[\^[^\]\n]+\]:|[-=*_]{3,}[ \t]*$)/gm, '')
    .replace(/^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t:-]*$/gm, '')
    .replace(/(?<!\\)\|/g, ' ')
    .replace(/\[\^[^\]\n]+\]/g, '')
    .replace(/!?\[([^[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/\*+|~~|`+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
