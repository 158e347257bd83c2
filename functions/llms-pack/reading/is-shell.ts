/** More words than these are a page, whatever it says of scripts. */
const mostWords = 400
const script = /<script\b/i
const asksForScripts = /\bjava ?script\b/i
/** The element into which a program draws, with nothing in it. */
const emptyMount =
  /<(div|main|section)\b[^>]{0,200}\bid\s*=\s*["']?(?:root|app|main|__next|__nuxt|___gatsby|app-root|react-root|svelte)["'\s>][^>]{0,200}>?\s{0,200}<\/\1/i

/** Whether a page shows its words only to who runs its scripts, which nobody does here. */
export const isShell = (html: string, words: string): boolean =>
  words.length <= mostWords &&
  script.test(html) &&
  (words === '' || asksForScripts.test(words) || emptyMount.test(html))
