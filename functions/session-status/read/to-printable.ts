/**
 * The beginning of an untrusted text as one harmless line: no control, escape or bidirectional characters.
 *
 * @param maxLength most code points of the result
 */
export const toPrintable = (text: string, maxLength = 200): string =>
  Array.from(
    text
      .slice(0, maxLength * 8)
      .replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]+/gu, ' ')
      .replace(/ {2,}/g, ' ')
      .trim(),
  )
    .slice(0, maxLength)
    .join('')
