import fc from 'fast-check'
import { anyCharacter } from './any-text.ts'

/** Text that breaks careless XML writers: fragments of markup, and arbitrary code units between them. */
export const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ']]>',
        '<b>',
        '&amp;',
        '&',
        '<![CDATA[',
        '</item>',
        '"',
        "'",
        '\u0000',
        '\u0008',
        '\ud800',
        '\udfff',
      ),
      fc.constantFrom('\r\n', '\r', '\u2028', '\ufffe', '\ufdd0', '\ufdd1', '&#0;', '&lt;', 'שלום', '𝕏', '%', '-->'),
      fc.string({ unit: anyCharacter, maxLength: 8 }),
    ),
    { maxLength: 8 },
  )
  .map((words) => `t${words.join('')}t`)
