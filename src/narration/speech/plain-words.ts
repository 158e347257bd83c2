/** Markup that directs a voice instead of being spoken, in the syntax of the services that support it. */
const directions: readonly (readonly [RegExp, string])[] = [
  // MiniMax: a pause of the given seconds.
  [/<#\s*[\d.]*\s*#>/g, ' '],
  // SSML and its dialects. Other tags are part of the text.
  [
    /<\/?(?:speak|break|prosody|emphasis|say-as|phoneme|sub|audio|p|s|w|token|voice|lang|mark|lexicon|lookup|par|seq|media|desc|meta|metadata|[a-z]+:[a-z-]+)(?:\s[^<>]{0,400})?\/?>/gi,
    ' ',
  ],
  [/(?<=\p{L})\((e?s)\)/gu, '$1'],
  // Sounds in brackets, as in [laughs] or (sighs), become words between commas.
  [/[[(]\s*([A-Za-z][A-Za-z' -]{0,40})\s*[\])]/g, ', $1, '],
  [/[[\]]/g, ' '],
  // The rest of a tag must not open anything.
  [/<\/?(?=[#!?A-Za-z])|(?<=[#/"'A-Za-z])>/g, ' '],
]

/** Invisible characters except joiners, which some scripts need between letters. */
const invisible = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu
const floods: readonly (readonly [RegExp, string])[] = [
  [/[\u200c\u200d]+(?=[\u200c\u200d])/g, ''],
  [/(\p{M}{4})\p{M}+/gu, '$1'],
  [/([^\p{L}\p{N}\p{M}\s])\1{3,}/gu, '$1$1$1'],
]

/**
 * A text as plain words: markup by which it could direct a voice (pauses, sounds, SSML) is removed or becomes words,
 * and invisible characters are removed. The buyer pays for a reading, and the text must not control how it is read.
 *
 * @example toPlainWords('Wait.<#3#> [laughs] <b>Go</b>') // 'Wait.  , laughs,   b Go  b '
 */
export function toPlainWords(text: string): string {
  const visible = text
    .toWellFormed()
    .replace(invisible, '')
    .replace(/[^\P{Cc}\n\t]/gu, ' ')
  return [...directions, ...floods].reduce((words, [pattern, say]) => words.replace(pattern, say), visible)
}
