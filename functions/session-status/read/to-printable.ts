/** The beginning of a stranger's text as one line that cannot do anything: no controls, no escapes, no reversed writing. */
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
