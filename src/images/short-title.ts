import { toSetText } from './covers/faces-for.ts'

const longest = 120

/** A title for use in a sentence: on one line, and cut to 120 characters. */
export function shortTitle(title: string): string {
  const letters = [...toSetText(title.slice(0, 4 * longest)).toWellFormed()]
  return letters.length <= longest
    ? letters.join('')
    : `${letters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
}
