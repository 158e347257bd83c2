/** Characters. A page with more text is not a shell, even if the text asks for JavaScript. */
const mostWords = 400
const script = /<script\b/i
const asksForScripts = /\bjava ?script\b/i
/** The empty element into which a framework renders. */
const emptyMount =
  /<(div|main|section)\b[^>]{0,200}\bid\s*=\s*["']?(?:root|app|main|__next|__nuxt|___gatsby|app-root|react-root|svelte)["'\s>][^>]{0,200}>?\s{0,200}<\/\1/i

/** Whether a page shows its text only after its scripts have run, which are never run here. */
export const isShell = (html: string, words: string): boolean =>
  words.length <= mostWords &&
  script.test(html) &&
  (words === '' || asksForScripts.test(words) || emptyMount.test(html))
