/** What directs a voice instead of being said, in the languages of the services that know it. */
const directions: readonly (readonly [RegExp, string])[] = [
  // MiniMax: a pause of so many seconds.
  [/<#\s*[\d.]*\s*#>/g, ' '],
  // SSML, and what its dialects add. Other tags are words that somebody wrote about.
  [
    /<\/?(?:speak|break|prosody|emphasis|say-as|phoneme|sub|audio|p|s|w|token|voice|lang|mark|lexicon|lookup|par|seq|media|desc|meta|metadata|[a-z]+:[a-z-]+)(?:\s[^<>]{0,400})?\/?>/gi,
    ' ',
  ],
  [/(?<=\p{L})\((e?s)\)/gu, '$1'],
  // Sounds in brackets, as in [laughs] or (sighs), become words between commas.
  [/[[(]\s*([A-Za-z][A-Za-z' -]{0,40})\s*[\])]/g, ', $1, '],
  [/[[\]]/g, ' '],
  // Whatever is left of a mark opens nothing any more.
  [/<\/?(?=[#!?A-Za-z])|(?<=[#/"'A-Za-z])>/g, ' '],
]

/** Nothing that can be seen or heard; joiners are needed between letters of some scripts, one at a time. */
const invisible = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu
const floods: readonly (readonly [RegExp, string])[] = [
  [/[\u200c\u200d]+(?=[\u200c\u200d])/g, ''],
  [/(\p{M}{4})\p{M}+/gu, '$1'],
  [/([^\p{L}\p{N}\p{M}\s])\1{3,}/gu, '$1$1$1'],
]

/**
 * A text as nothing but words: marks by which it could direct a voice (pauses, sounds, SSML) are taken out or become
 * words themselves, and invisible characters go. What is bought is a reading, and the text has no say in how.
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
